import { storableText } from '../../lib/text.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'

/** What came and went in one list of names: the rows of a table, or the entries of a list of links. */
export type RowChanges = { section: string; added: string[]; removed: string[] }

const SECTIONS_MAX = 20
const NAMES_MAX = 100
const NAME_CHARACTERS = 200

/** Rows that were added and removed, by name. A row that moved, or whose other cells changed, is neither. */
export function rowChanges(changes: Change[]): RowChanges[] {
  const sections = new Map<string, { before: Set<string>; after: Set<string> }>()
  const rowsOf = (section: string) => {
    const rows = sections.get(section) ?? { before: new Set(), after: new Set() }
    sections.set(section, rows)
    return rows
  }
  for (const change of changes) {
    for (const block of change.before) if (block.row !== undefined) rowsOf(block.section).before.add(block.row)
    for (const block of change.after) if (block.row !== undefined) rowsOf(block.section).after.add(block.row)
  }
  const names = (set: Set<string>, other: Set<string>) =>
    [...set]
      .filter((name) => name !== '' && !other.has(name))
      .slice(0, NAMES_MAX)
      .map((name) => storableText(name.slice(0, NAME_CHARACTERS)))
  return [...sections]
    .map(([section, { before, after }]) => ({ section, added: names(after, before), removed: names(before, after) }))
    .filter(({ added, removed }) => added.length + removed.length > 0)
    .slice(0, SECTIONS_MAX)
}

/** The changes without the rows that only moved within their list. */
export function withoutMovedRows(changes: Change[]): Change[] {
  const moved = new Map<string, number>()
  const keyOf = ({ section, key }: Block) => `${section}\n${key}`
  const went = new Map<string, number>()
  for (const block of changes.flatMap(({ before }) => before))
    if (block.row !== undefined) went.set(keyOf(block), (went.get(keyOf(block)) ?? 0) + 1)
  for (const block of changes.flatMap(({ after }) => after)) {
    const left = went.get(keyOf(block)) ?? 0
    if (block.row === undefined || left === 0) continue
    went.set(keyOf(block), left - 1)
    moved.set(keyOf(block), (moved.get(keyOf(block)) ?? 0) + 1)
  }
  if (moved.size === 0) return changes
  const stays = (left: Map<string, number>) => (block: Block) => {
    const count = left.get(keyOf(block)) ?? 0
    if (block.row === undefined || count === 0) return true
    left.set(keyOf(block), count - 1)
    return false
  }
  const [before, after] = [stays(new Map(moved)), stays(new Map(moved))]
  return changes
    .map((change) => ({ ...change, before: change.before.filter(before), after: change.after.filter(after) }))
    .filter(({ before, after }) => before.length + after.length > 0)
}
