import { inAmericanSpelling } from '../../language/spelling-rules.ts'
import { firstNamedDay } from '../../normalize/dates-rules.ts'
import { isDateLine, type ReadText } from '../../normalize/normal-form-rules.ts'
import type { Change } from '../changes-rules.ts'
import { speaksForSibling } from './companies-rules.ts'

/** This many words are spelled as in another country, and none the other way: editors do not respell a document. */
const RESPELLED_WORDS = 3

/**
 * Returns whether the same page seems to be served for readers in another region: its words went from American to British
 * spelling, or back, the day of its date went before the month, or behind it, or another company of the group speaks.
 */
export const forAnotherRegion = (before: ReadText, after: ReadText, changes: Change[]): boolean =>
  isRespelled(changes) || hasTurnedDate(before, after) || speaksForSibling(before, after)

/** It delayed 2 of 39 events of raw pages, both noise. */
function hasTurnedDate(before: ReadText, after: ReadText): boolean {
  const [was, is] = [before, after].map(({ lines }) =>
    firstNamedDay(lines.map(({ plain }) => plain).find(isDateLine) ?? ''),
  )
  return was !== undefined && was.day === is?.day && was.isMonthFirst !== is.isMonthFirst
}

function isRespelled(changes: Change[]): boolean {
  const [went, came] = (['before', 'after'] as const).map((side) => wordsOf(changes, side))
  const [toBritish, toAmerican] = [respelled(came!, went!), respelled(went!, came!)]
  return Math.max(toBritish, toAmerican) >= RESPELLED_WORDS && Math.min(toBritish, toAmerican) === 0
}

const wordsOf = (changes: Change[], side: 'before' | 'after') =>
  new Set(changes.flatMap((change) => change[side].flatMap(({ words }) => words.map((word) => word.toLowerCase()))))

/** How many words of one side are British spellings of words that only the other side has. */
function respelled(british: Set<string>, american: Set<string>): number {
  const pairs = [...british].map((word) => [word, inAmericanSpelling(word)] as const)
  return pairs.filter(([word, other]) => word !== other && american.has(other) && !american.has(word)).length
}
