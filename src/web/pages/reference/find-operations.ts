import { hasWords } from '../../words.ts'

/** As far as they are used: lists and maps of Immutable.js, which Swagger UI brings with it. */
type Collection<T> = {
  get: (name: string) => unknown
  getIn: (names: string[]) => unknown
  set: (name: string, value: unknown) => Collection<T>
  map: (change: (item: T, name: string) => T) => Collection<T>
  filter: (keep: (item: T) => boolean) => Collection<T>
  size: number
}
type Operation = Collection<unknown>
type Tag = Collection<Operation>

/** Finds operations by path, method, name and what they are for; all words have to be there. */
export const findOperations = () => ({
  fn: {
    opsFilter: (tags: Collection<Tag>, phrase: string) => {
      const has = (operation: Operation, tag: string) => {
        const said = [
          ...[tag, operation.get('method'), operation.get('path')],
          ...[operation.getIn(['operation', 'summary']), operation.getIn(['operation', 'operationId'])],
        ]
        return hasWords(said.join(' '), phrase)
      }
      return tags
        .map((tag, name) =>
          tag.set(
            'operations',
            (tag.get('operations') as Tag).filter((operation) => has(operation, name)),
          ),
        )
        .filter((tag) => (tag.get('operations') as Tag).size > 0)
    },
  },
})

/** Shows those of the events below the operations whose name or meaning has all words. */
export function findEvents(root: HTMLElement, phrase: string): void {
  for (const event of root.querySelectorAll<HTMLElement>('.webhooks .opblock')) {
    event.hidden = !hasWords(`webhook ${event.querySelector('.opblock-summary')?.textContent}`, phrase)
  }
}
