import type { ReadText } from '../normalize/normal-form-rules.ts'
import { type Change, changesBetween } from './changes-rules.ts'
import { inOtherSpelling, isSpelledOtherwise } from './spelling-variant-rules.ts'
import { onlySuperseded } from './superseded-rules.ts'

/** A new text that differs in fewer words from the one in force needs no earlier one to explain it. */
const FAR_WORDS = 20
/** It went back to an earlier text when at most this share of those words is not in that one either. */
const NEAR_SHARE = 0.25

/** How an earlier text explains a new one. */
export type Explained =
  /** The new text is an earlier one in the other kind of English. */
  | { as: 'other spelling' }
  /** An earlier text, which stood below the new one, went. */
  | { as: 'superseded' }
  /** It is nearly the earlier text of this index; `changes` is what it says otherwise than that one. */
  | { as: 'near'; index: number; changes: Change[] }

/** Looks for the earlier text that a new one goes back to. `changes` is what it says otherwise than the text in force. */
export function explainedBy(
  former: ReadText[],
  current: ReadText,
  after: ReadText,
  changes: Change[],
): Explained | undefined {
  const far = changedWords(changes)
  if (far < FAR_WORDS) return undefined
  if (former.some((earlier) => onlySuperseded(current, after, earlier))) return { as: 'superseded' }
  const turned = isSpelledOtherwise(current, after)
  let nearest: { index: number; changes: Change[]; words: number } | undefined
  for (const [index, earlier] of former.entries()) {
    const since = changesBetween(earlier, after)
    if (turned && inOtherSpelling(earlier, after, since)) return { as: 'other spelling' }
    const words = changedWords(since)
    if (words <= far * NEAR_SHARE && words < (nearest?.words ?? Number.POSITIVE_INFINITY))
      nearest = { index, changes: since, words }
  }
  return nearest && { as: 'near', index: nearest.index, changes: nearest.changes }
}

const changedWords = (changes: Change[]): number =>
  changes.reduce((sum, { wordsRemoved, wordsAdded }) => sum + wordsRemoved + wordsAdded, 0)
