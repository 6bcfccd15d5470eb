import type { QueueItem } from '../../../api/operator.ts'

/** What an item is about, in a word or two. */
export const KIND_NAMES: Record<QueueItem['kind'], string> = {
  price: 'Price',
  mass_change: 'Many prices',
  removal: 'Removal',
  rename: 'Renaming',
  line_removal: 'Missing prices',
  unreadable: 'Unreadable',
  snapshot: 'Snapshot',
  terms: 'Document',
}

/** What an item is called: the resource where it is about the prices of one, how many prices of several, else its question. */
export function headOf(item: Pick<QueueItem, 'kind' | 'question' | 'resources' | 'rows'>): {
  title: string
  rest?: string
} {
  const [resource, ...others] = item.resources
  if (isEditable(item) && others.length > 0) return { title: `${item.rows} prices`, rest: item.question }
  if (!isEditable(item) || resource === undefined || others.length > 0) return { title: item.question }
  const rest = item.question.startsWith(`${resource}: `) ? item.question.slice(resource.length + 2) : item.question
  return { title: resource, rest }
}

/** Prices alone can be published with another value. */
export const isEditable = ({ kind }: Pick<QueueItem, 'kind'>): boolean => kind === 'price' || kind === 'mass_change'

/** Approving it removes prices. It has a key of its own, which does nothing else. */
export const delists = ({ kind }: Pick<QueueItem, 'kind'>): boolean =>
  kind === 'removal' || kind === 'line_removal' || kind === 'unreadable'

/** The words on the buttons: an absence is not approved but believed. */
export function verbOf(item: Pick<QueueItem, 'kind'>, decision: 'approve' | 'reject'): string {
  if (item.kind === 'rename') return decision === 'approve' ? 'It was renamed' : 'It was not'
  if (delists(item)) return decision === 'approve' ? 'Delist prices' : 'Keep current prices'
  return decision === 'approve' ? 'Approve' : 'Reject'
}

/** What a decision about an item means. */
export function effectOf(item: Pick<QueueItem, 'kind'>, decision: 'approve' | 'reject'): string {
  const { kind } = item
  if (decision === 'reject') return 'What is published stays until the source says something else.'
  if (kind === 'rename') return 'The history goes on under the new name.'
  if (delists(item)) return 'These prices are delisted. Subscribers receive resource.removed if nothing else is priced.'
  if (kind === 'snapshot') return 'The whole list is read, and its prices are checked one by one.'
  return kind === 'terms' ? 'This text is in force.' : 'The proposed prices are published.'
}

/** An item about a whole list is about no provider of its own. */
export const EVERY_PROVIDER = '*'

/** Whose prices or documents an item is about, in words. */
export const sellerOf = ({ provider }: Pick<QueueItem, 'provider'>, nameOf: (slug: string) => string): string =>
  provider === EVERY_PROVIDER ? 'every provider' : nameOf(provider)
