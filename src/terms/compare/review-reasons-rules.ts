import type { ReadText } from '../normalize/normal-form-rules.ts'
import { joined, totalWords, wordsOf } from '../normalize/words-rules.ts'
import { OVERLAP_HELD_BELOW, SIZE_HELD_ABOVE, SIZE_HELD_BELOW } from '../schema.ts'
import { changesBetween } from './changes-rules.ts'
import { areInTwoLanguages } from './language-rules.ts'
import { forAnotherRegion } from './region-rules.ts'
import { isEditionOfSameDate } from './same-date-rules.ts'
import { inOtherSpelling } from './spelling-variant-rules.ts'

const ANOTHER_LANGUAGE = 'another language'
export const OTHER_SPELLING = 'the other kind of English'
const SAME_DATE = 'another edition of the same date'
const MUCH_SHORTER = 'less than half the size'
/** A part that came in another language counts from this share of the text on. */
const PART_SHARE = 0.15

/** Returns whether a text, or a large part of it, is in another language now. */
function inAnotherLanguage(before: ReadText, after: ReadText): boolean {
  if (areInTwoLanguages(before.blocks, after.blocks)) return true
  const kept = [before, after].map(({ blocks }) => new Set(blocks.map(({ key }) => key)))
  const went = before.blocks.filter(({ key }) => !kept[1]!.has(key))
  const came = after.blocks.filter(({ key }) => !kept[0]!.has(key))
  const isLarge = Math.min(totalWords(went), totalWords(came)) >= totalWords(before.blocks) * PART_SHARE
  return isLarge && areInTwoLanguages(went, came)
}

const SHINGLE = 3
function shingles(words: string[]): Set<string> {
  const set = new Set<string>()
  for (let i = 0; i + SHINGLE <= words.length; i++) set.add(words.slice(i, i + SHINGLE).join(' '))
  return set
}

/** Share of the earlier text's three-word runs that the later one has too. */
function overlap(before: string[], after: string[]): number {
  const [a, b] = [shingles(before), shingles(after)]
  if (a.size === 0 || b.size === 0) return joined(before) === joined(after) ? 1 : 0
  let kept = 0
  for (const run of a) if (b.has(run)) kept++
  return kept / Math.min(a.size, b.size)
}

/** Why a changed text needs a person: it is held until a person decides, or until it has stayed for long. */
export function reviewReasons(before: ReadText, after: ReadText, changes = changesBetween(before, after)): string[] {
  const [a, b] = [wordsOf(before.plain), wordsOf(after.plain)]
  const reasons: string[] = []
  if (b.length < a.length * SIZE_HELD_BELOW) reasons.push(MUCH_SHORTER)
  if (b.length > a.length * SIZE_HELD_ABOVE) reasons.push('more than twice the size')
  if (inAnotherLanguage(before, after)) reasons.push(ANOTHER_LANGUAGE)
  else if (inOtherSpelling(before, after, changes)) reasons.push(OTHER_SPELLING)
  else if (isEditionOfSameDate(before, after)) reasons.push(SAME_DATE)
  else if (forAnotherRegion(before, after)) reasons.push('another region')
  else if (overlap(a, b) < OVERLAP_HELD_BELOW) reasons.push('another text')
  return reasons
}

/**
 * Returns whether a text seems to be the earlier one in another language, in the other kind of English, or for another
 * region: it is no change of the document. One for another region is about as long.
 */
export const isOtherEdition = (reasons: string[]): boolean =>
  (reasons.includes(ANOTHER_LANGUAGE) && !isNoTranslation(reasons)) ||
  reasons.includes(OTHER_SPELLING) ||
  (reasons.includes(SAME_DATE) && reasons.length === 1)

/** Returns whether a text is in another language and says too little to be the earlier one: it is another document. */
export const isNoTranslation = (reasons: string[]): boolean =>
  reasons.includes(ANOTHER_LANGUAGE) && reasons.includes(MUCH_SHORTER)
