import { daysIn, statedDates } from '../normalize/dates-rules.ts'
import type { ReadText } from '../normalize/normal-form-rules.ts'
import { forAnotherRegion } from './region-rules.ts'
import { isSpelledOtherwise } from './spelling-variant-rules.ts'

/** Where much else differs, or a number or a duty does, more words have to be spelled the other way. */
const MORE_SPELLINGS = 6

/**
 * Returns whether a page seems to be the edition of the same day for other readers: it has the signs of another region or
 * is spelled the other way, and its dates are the same. A provider that changes a document states another date.
 */
export const isEditionOfSameDate = (before: ReadText, after: ReadText): boolean =>
  statesSameDates(before, after) &&
  (isSpelledOtherwise(before, after, MORE_SPELLINGS) || forAnotherRegion(before, after))

/** Whether both say alike when they were written or take effect, and the second names no later day. */
function statesSameDates(before: ReadText, after: ReadText): boolean {
  const [a, b] = [before, after].map(({ blocks }) => blocks.map(({ text }) => text).join('\n\n'))
  const [was, is] = [statedDates(a!), statedDates(b!)]
  if (!was.effective && !was.updated) return false
  return was.effective === is.effective && was.updated === is.updated && lastDay(b!) <= lastDay(a!)
}

/** The latest day that a text names for certain; empty when it names none. */
const lastDay = (text: string): string =>
  daysIn(text)
    .flatMap((days) => (days.length === 1 ? days : []))
    .sort()
    .at(-1) ?? ''
