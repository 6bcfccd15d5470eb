import { type Anchor, createAnchors } from '../normalize/anchors-rules.ts'
import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { shownText } from '../normalize/shown-text-rules.ts'
import { boundedComparer, type Change, type Comparer } from './changes-rules.ts'

/** One row of a side-by-side view. Words of a reworded paragraph are marked on both sides. */
export type SideBySideRow = {
  kind: 'same' | 'removed' | 'added' | 'changed'
  section: string
  /** The number of its clause, such as `3.2(b)`, where the document numbers them. */
  clause?: string
  /** Of the first row of each clause and section in the later version. */
  anchor?: Anchor
  heading: boolean
  /** The level of a heading, and in how many lists a paragraph is. */
  level?: number
  depth?: number
  /** As it reads, with its number, its bullet, or the marks of its heading. */
  left?: string
  right?: string
  words?: { text: string; kind: 'same' | 'removed' | 'added' }[]
}
/** Most rows of a side-by-side view; beyond it the rest is left out and said to be. */
const ROWS_MAX = 5_000

export type SideBySide = { rows: SideBySideRow[]; truncated: boolean }

export function sideBySide(
  { blocks: a }: ReadText,
  { blocks: b }: ReadText,
  changes: Change[],
  compare = boundedComparer(),
): SideBySide {
  const rows: SideBySideRow[] = []
  let [at, shift] = [0, 0]
  const same = (end: number) => {
    for (; at < end; at++) rows.push(sameRow(a[at]!, b[at + shift] ?? a[at]!))
  }
  for (const change of changes) {
    same(change.at)
    for (let i = 0; i < Math.max(change.before.length, change.after.length); i++) {
      if (rows.length > ROWS_MAX) return { rows: anchored(rows.slice(0, ROWS_MAX)), truncated: true }
      rows.push(changedRow(change.before[i], change.after[i], compare))
    }
    at += change.before.length
    shift += change.after.length - change.before.length
  }
  same(a.length)
  return { rows: anchored(rows.slice(0, ROWS_MAX)), truncated: rows.length > ROWS_MAX }
}

/** Anchors are those of the later version, whatever it is compared with. */
function anchored(rows: SideBySideRow[]): SideBySideRow[] {
  const anchorOf = createAnchors()
  return rows.map((row) => {
    const anchor = row.right === undefined ? undefined : anchorOf(row)
    return anchor ? { ...row, anchor } : row
  })
}

const placeOf = ({ section, clause, heading, level, depth }: Block) => ({
  section,
  clause,
  heading,
  ...(heading && level !== undefined && { level }),
  ...(depth !== undefined && { depth }),
})

/** What says the same may have another number now. */
const sameRow = (before: Block, after: Block): SideBySideRow => ({
  kind: 'same',
  ...placeOf(after),
  left: shownText(before),
  right: shownText(after),
})

function changedRow(before: Block | undefined, after: Block | undefined, compare: Comparer): SideBySideRow {
  const place = placeOf((after ?? before)!)
  const [left, right] = [before && shownText(before), after && shownText(after)]
  if (left === undefined || right === undefined)
    return { kind: left === undefined ? 'added' : 'removed', ...place, left, right }
  const words = compare(left.split(/(?<=\s)/), right.split(/(?<=\s)/))?.map((part) => ({
    text: part.value.join(''),
    kind: part.added ? ('added' as const) : part.removed ? ('removed' as const) : ('same' as const),
  }))
  return { kind: 'changed', ...place, left, right, words }
}
