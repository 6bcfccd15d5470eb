import { diffArrays } from 'diff'
import { type Block, blocksOf, joined, normalForm, wordsOf } from '../normalize/normal-form-rules.ts'
import { type Classification, MINOR_WORDS } from '../schema.ts'
import { sameButDates } from './quality-rules.ts'

/** A comparison ends after this; what it would have found is then told coarser. */
export const COMPARE_TIMEOUT_MS = 1_500
export const COMPARE_MAX_EDITS = 4_000

/** One run of blocks that differ: what stood there and what stands there. */
export type Change = { before: Block[]; after: Block[]; at: number }

/** The blocks that differ, in order; undefined when the comparison took too long and everything is one change. */
export function changedBlocks(before: Block[], after: Block[]): Change[] {
  const known = compared.get(before)
  if (known?.after === after) return known.changes
  const changes = compareBlocks(before, after)
  compared.set(before, { after, changes })
  return changes
}

/** The same two texts are compared to classify and to describe what changed. */
const compared = new WeakMap<Block[], { after: Block[]; changes: Change[] }>()

function compareBlocks(before: Block[], after: Block[]): Change[] {
  const parts = diffArrays(before, after, {
    comparator: (a, b) => a.key === b.key,
    timeout: COMPARE_TIMEOUT_MS,
    maxEditLength: COMPARE_MAX_EDITS,
  })
  if (!parts) return [{ before, after, at: 0 }]
  const changes: Change[] = []
  let [open, at]: [Change | undefined, number] = [undefined, 0]
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
      open.before.push(...part.value)
      at += part.value.length
    } else open.after.push(...part.value)
  }
  return changes
}

/** Words that went and words that came; a comparison that takes too long counts every word of the change. */
export function changedWords(change: Change): { removed: number; added: number } {
  const a = change.before.flatMap((block) => block.words)
  const b = change.after.flatMap((block) => block.words)
  const parts = diffArrays(a, b, { timeout: COMPARE_TIMEOUT_MS, maxEditLength: COMPARE_MAX_EDITS })
  if (!parts) return { removed: a.length, added: b.length }
  const count = (kind: 'added' | 'removed') =>
    parts.filter((part) => part[kind]).reduce((sum, part) => sum + part.value.length, 0)
  return { removed: count('removed'), added: count('added') }
}

/** The document's own title came or went: a heading before everything else, with nothing in its place. */
function onlyTitle(changes: Change[]): boolean {
  const [change] = changes
  if (changes.length !== 1 || !change || change.at > 1) return false
  const blocks = [...change.before, ...change.after]
  return blocks.length === 1 && blocks[0]!.heading
}

const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}|\p{L}*email\W{0,3}protected/giu
const HIDDEN = /email\W{0,3}protected/i

/** An e-mail address that a network hides from robots: it reads `email protected` until a browser has it. */
function onlyHiddenAddress({ before, after }: Change): boolean {
  const [a, b] = [before, after].map((blocks) => blocks.map((block) => block.text).join('\n')) as [string, string]
  if (!HIDDEN.test(a + b)) return false
  const words = (text: string) => joined(wordsOf(text.replace(ADDRESS, ' '))).toLowerCase()
  return words(a) === words(b)
}

/** The same words in lines that break elsewhere: a short line is compared without its case, a sentence is not. */
function onlyBrokenElsewhere({ before, after }: Change): boolean {
  const words = (blocks: Block[]) => joined(blocks.flatMap((block) => block.words)).toLowerCase()
  return before.length !== after.length && words(before) === words(after)
}

/** Blocks that only stand elsewhere. */
function onlyMoved(changes: Change[]): boolean {
  const keys = (blocks: Block[]) =>
    blocks
      .map((block) => block.key)
      .sort()
      .join('\n')
  return keys(changes.flatMap((change) => change.before)) === keys(changes.flatMap((change) => change.after))
}

/**
 * How much a change says. Cosmetic: the same words, or the same paragraphs elsewhere. Dates: nothing but dates. Minor:
 * at most {@link MINOR_WORDS} words. Everything else is substantive.
 */
export function classify(before: string, after: string): Classification {
  if (normalForm(before) === normalForm(after)) return 'cosmetic'
  const changes = changedBlocks(blocksOf(before), blocksOf(after)).filter(
    (change) => !onlyHiddenAddress(change) && !onlyBrokenElsewhere(change),
  )
  if (changes.length === 0 || onlyMoved(changes) || onlyTitle(changes)) return 'cosmetic'
  if (sameButDates(before, after)) return 'dates'
  let [removed, added] = [0, 0]
  for (const change of changes) {
    const words = changedWords(change)
    removed += words.removed
    added += words.added
    if (Math.max(removed, added) > MINOR_WORDS) return 'substantive'
  }
  return 'minor'
}
