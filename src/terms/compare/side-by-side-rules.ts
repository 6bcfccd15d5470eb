import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { boundedComparer, type Change, type Comparer } from './changes-rules.ts'

/** One row of a side-by-side view. Words of a reworded paragraph are marked on both sides. */
export type SideBySideRow = {
  kind: 'same' | 'removed' | 'added' | 'changed'
  section: string
  /** The number of its clause, such as `3.2(b)`, where the document numbers them. */
  clause?: string
  heading: boolean
  left?: string
  right?: string
  words?: { text: string; kind: 'same' | 'removed' | 'added' }[]
}
/** Most rows of a side-by-side view; beyond it the rest is left out and said to be. */
const ROWS_MAX = 5_000

export type SideBySide = { rows: SideBySideRow[]; truncated: boolean }

export function sideBySide(before: ReadText, changes: Change[], compare = boundedComparer()): SideBySide {
  const a = before.blocks
  const rows: SideBySideRow[] = []
  let at = 0
  for (const change of changes) {
    for (const block of a.slice(at, change.at)) rows.push(sameRow(block))
    for (let i = 0; i < Math.max(change.before.length, change.after.length); i++) {
      if (rows.length > ROWS_MAX) return { rows: rows.slice(0, ROWS_MAX), truncated: true }
      rows.push(changedRow(change.before[i], change.after[i], compare))
    }
    at = change.at + change.before.length
  }
  for (const block of a.slice(at)) rows.push(sameRow(block))
  return { rows: rows.slice(0, ROWS_MAX), truncated: rows.length > ROWS_MAX }
}

const placeOf = ({ section, clause, heading }: Block) => ({ section, clause, heading })

const sameRow = (block: Block): SideBySideRow => ({
  kind: 'same',
  ...placeOf(block),
  left: block.text,
  right: block.text,
})

function changedRow(left: Block | undefined, right: Block | undefined, compare: Comparer): SideBySideRow {
  const place = placeOf((right ?? left)!)
  if (!left || !right) return { kind: left ? 'removed' : 'added', ...place, left: left?.text, right: right?.text }
  const words = compare(left.text.split(/(?<=\s)/), right.text.split(/(?<=\s)/))?.map((part) => ({
    text: part.value.join(''),
    kind: part.added ? ('added' as const) : part.removed ? ('removed' as const) : ('same' as const),
  }))
  return { kind: 'changed', ...place, left: left.text, right: right.text, words }
}
