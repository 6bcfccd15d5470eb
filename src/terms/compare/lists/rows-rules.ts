import { storableText } from '../../../lib/text.ts'
import type { Block } from '../../normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../../normalize/words-rules.ts'
import type { Change } from '../changes-rules.ts'

/**
 * What changed in one list of names: the rows of a table, or the entries of a list. Those that are in both texts under one
 * name and say something else beside it are `changed`.
 */
export type RowChanges = { section: string; added: string[]; removed: string[]; changed: string[] }

const SECTIONS_MAX = 20
const NAMES_MAX = 100
const NAME_CHARACTERS = 200

/** What the rows of each name say, on one side. */
type Rows = Map<string, string>
/** Two writings of a name are one name: `Alpha, Inc.` and `Alpha Inc`. */
const nameKey = (name: string) => joined(wordsOf(name.toLowerCase()))

type List = { section: string; before: Rows; after: Rows; names: Map<string, string> }

/** Rows that were added, removed and changed, by name. A row that only moved is none of them. */
export function rowChanges(changes: Change[]): RowChanges[] {
  return underNewHeadings(listsIn(changes))
    .map(({ section, before, after, names }) => {
      const shown = (of: Rows, belongs: (name: string) => boolean) =>
        [...of.keys()]
          .filter(belongs)
          .slice(0, NAMES_MAX)
          .map((name) => storableText(names.get(name)!.slice(0, NAME_CHARACTERS)))
      return {
        section,
        added: shown(after, (name) => !before.has(name)),
        removed: shown(before, (name) => !after.has(name)),
        changed: shown(after, (name) => before.has(name) && before.get(name) !== after.get(name)),
      }
    })
    .filter(({ added, removed, changed }) => added.length + removed.length + changed.length > 0)
    .slice(0, SECTIONS_MAX)
}

function listsIn(changes: Change[]): List[] {
  const lists = new Map<string, List>()
  const add = ({ section, row, key }: Block, side: 'before' | 'after') => {
    const name = row === undefined ? '' : nameKey(row)
    if (name === '') return
    const list = lists.get(section) ?? { section, before: new Map(), after: new Map(), names: new Map() }
    lists.set(section, list)
    list[side].set(name, `${list[side].get(name) ?? ''}${key}`)
    list.names.set(name, row!)
  }
  for (const change of changes) {
    for (const block of change.before) add(block, 'before')
    for (const block of change.after) add(block, 'after')
  }
  return [...lists.values()]
}

/** A list whose heading has other words now is one list: it went and came with at least half of its names. */
function underNewHeadings(lists: List[]): List[] {
  const merged = new Set<List>()
  const joinedLists = lists.map((list) => {
    if (list.before.size > 0 || list.after.size === 0) return list
    const earlier = lists.find(
      (other) =>
        other.after.size === 0 &&
        !merged.has(other) &&
        [...other.before.keys()].filter((name) => list.after.has(name)).length * 2 >= other.before.size &&
        other.before.size > 1,
    )
    if (!earlier) return list
    merged.add(earlier)
    return { ...list, before: earlier.before, names: new Map([...earlier.names, ...list.names]) }
  })
  return joinedLists.filter((_, i) => !merged.has(lists[i]!))
}

/** Whether a row was added or removed. */
export const rowsCameOrWent = (changes: Change[]): boolean =>
  rowChanges(changes).some(({ added, removed }) => added.length + removed.length > 0)
