import { MODAL, NEGATION, PARTY } from '../language/meaning-rules.ts'
import { wordsOf } from '../normalize/words-rules.ts'
import type { Change } from './changes-rules.ts'
import { type Counts, counted, sameCounts } from './lists/counts-rules.ts'

/** `not` beside a verb; in `not more than` it belongs to a number. */
const NOT =
  /(?<=\b(?:is|are|was|were|be|do|does|did|has|have|had|may|might|must|shall|should|will|would|can|could|agree|need)\s)not\b|n't\b|\bno longer\b/gu
const OPERATOR = /^[≤≥≠±<>=+-]$/u
/**
 * Returns whether a change is substantive however few words it has: a negation, a modal verb, a comparison or a sign
 * was added or removed, or one party is in the place of another.
 */
export function changesMeaning({ before, after }: Change): boolean {
  const [a, b] = [before, after].map((blocks) => blocks.map((block) => block.text).join('\n')) as [string, string]
  if (bindsOtherwise(a, b)) return true
  const [x, y] = [a, b].map((text) => counted(wordsOf(text.toLowerCase()).filter((word) => PARTY.test(word))))
  const more = (one: Counts, other: Counts) => [...one].some(([word, count]) => count > (other.get(word) ?? 0))
  return more(x!, y!) && more(y!, x!)
}

/** Returns whether two texts oblige, allow, forbid or compare otherwise, by their words. */
export const bindsOtherwise = (before: string, after: string): boolean =>
  !sameCounts(counted(bindingWords(before)), counted(bindingWords(after)))

const isBinding = (word: string) => MODAL.test(word) || NEGATION.test(word) || OPERATOR.test(word)

function bindingWords(text: string): string[] {
  const lower = text.toLowerCase()
  return [...wordsOf(lower).filter(isBinding), ...(lower.match(NOT) ?? []).map(() => 'not')]
}
