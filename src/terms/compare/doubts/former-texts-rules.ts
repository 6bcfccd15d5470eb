import type { ReadText } from '../../normalize/normal-form-rules.ts'
import { type Change, changesBetween, wordsChanged } from '../changes-rules.ts'

/** A new text that differs in fewer words from the one in force needs no earlier one to explain it. */
const FAR_WORDS = 20
/** It went back to an earlier text when at most this share of those words is not in that one either. */
const NEAR_SHARE = 0.25

/**
 * Looks for the earlier text that a new one nearly is. `changes` is what it says otherwise than the text in force; what is
 * returned is what it says otherwise than the earlier one.
 */
export function nearestOf(
  former: ReadText[],
  after: ReadText,
  changes: Change[],
): { index: number; changes: Change[] } | undefined {
  const far = allWords(changes)
  if (far < FAR_WORDS) return undefined
  let nearest: { index: number; changes: Change[]; words: number } | undefined
  for (const [index, earlier] of former.entries()) {
    const since = changesBetween(earlier, after)
    const words = allWords(since)
    if (words <= far * NEAR_SHARE && words < (nearest?.words ?? Number.POSITIVE_INFINITY))
      nearest = { index, changes: since, words }
  }
  return nearest && { index: nearest.index, changes: nearest.changes }
}

function allWords(changes: Change[]): number {
  const { removed, added } = wordsChanged(changes)
  return removed + added
}
