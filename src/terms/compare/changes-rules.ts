import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { listDifference, type Part } from './lists/list-difference-rules.ts'

/** One run of blocks that differ: what was there, what is there, and how many words went and came. */
export type Change = { before: Block[]; after: Block[]; at: number; wordsRemoved: number; wordsAdded: number }

/** Returns what was added or removed, where nothing is in its place; nothing where something is. */
export const blocksOnOneSide = ({ before, after }: Pick<Change, 'before' | 'after'>): Block[] =>
  before.length === 0 ? after : after.length === 0 ? before : []

/** How many words went and came in all of these changes. */
export const wordsChanged = (changes: Change[]): { removed: number; added: number } => ({
  removed: changes.reduce((sum, { wordsRemoved }) => sum + wordsRemoved, 0),
  added: changes.reduce((sum, { wordsAdded }) => sum + wordsAdded, 0),
})

/** Edits after which one comparison ends; what it would have found is then described more coarsely. */
const MAX_EDITS = 4_000
/** What all comparisons of two documents may cost together, in steps: one costs half the square of its edits. */
const MAX_STEPS = 12_000_000

/** Compares lists by the keys of their values, within the steps that are left. Strings are their own keys. */
export type Comparer = <T extends string | { key: string }>(before: T[], after: T[]) => Part<T>[] | undefined

const keyOf = (value: string | { key: string }): string => (typeof value === 'string' ? value : value.key)

/** Returns a comparer whose calls share one budget, so that the work is bounded however many paragraphs changed. */
export function boundedComparer(): Comparer {
  let steps = MAX_STEPS
  return (before, after) => {
    const maxEdits = Math.min(MAX_EDITS, Math.floor(Math.sqrt(2 * steps)))
    const { parts, edits } = listDifference(before, after, keyOf, maxEdits)
    steps -= Math.ceil(edits ** 2 / 2)
    return parts
  }
}

/** The blocks that differ, in order; all of them as one change when the comparison costs too much. */
export function changesBetween(before: ReadText, after: ReadText, compare = boundedComparer()): Change[] {
  return changedBlocks(before.blocks, after.blocks, compare).map((change) => ({
    ...change,
    ...changedWords(change, compare),
  }))
}

type ChangedBlocks = Omit<Change, 'wordsRemoved' | 'wordsAdded'>

function changedBlocks(before: Block[], after: Block[], compare: Comparer): ChangedBlocks[] {
  const parts = compare(before, after)
  if (!parts) return [{ before, after, at: 0 }]
  const changes: ChangedBlocks[] = []
  let open: ChangedBlocks | undefined
  let at = 0
  for (const part of parts) {
    if (!part.added && !part.removed) {
      open = undefined
      at += part.value.length
      continue
    }
    if (!open) {
      open = { before: [], after: [], at }
      changes.push(open)
    }
    if (part.removed) {
      open.before = open.before.concat(part.value)
      at += part.value.length
    } else open.after = open.after.concat(part.value)
  }
  return changes
}

/** Removed and added words; a comparison that costs too much counts every word of the change. */
export function changedWords(
  { before, after }: Pick<Change, 'before' | 'after'>,
  compare: Comparer,
): { wordsRemoved: number; wordsAdded: number } {
  const a = before.flatMap((block) => block.words)
  const b = after.flatMap((block) => block.words)
  const parts = compare(a, b)
  if (!parts) return { wordsRemoved: a.length, wordsAdded: b.length }
  const count = (kind: 'added' | 'removed') =>
    parts.filter((part) => part[kind]).reduce((sum, part) => sum + part.value.length, 0)
  return { wordsRemoved: count('removed'), wordsAdded: count('added') }
}

/** The changes without these blocks. */
export function withoutBlocks(changes: Change[], left: ReadonlySet<Block>): Change[] {
  const compare = boundedComparer()
  return changes.flatMap((change) => {
    const keep = (blocks: Block[]) => blocks.filter((block) => !left.has(block))
    const kept = { before: keep(change.before), after: keep(change.after) }
    if (kept.before.length === change.before.length && kept.after.length === change.after.length) return [change]
    return kept.before.length + kept.after.length === 0 ? [] : [{ ...change, ...kept, ...changedWords(kept, compare) }]
  })
}
