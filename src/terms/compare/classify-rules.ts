import { normalFormWithoutDates, type ReadText } from '../normalize/normal-form-rules.ts'
import { applied } from '../rule.ts'
import { type Classification, type ExplainedWords, MINOR_WORDS } from '../schema.ts'
import { CHANGE_RULES } from './change-table-rules.ts'
import { type Change, wordsChanged } from './changes-rules.ts'
import { sameBesideDates } from './date-lines-rules.ts'
import { changedLists } from './lists/lists-rules.ts'
import { rowsCameOrWent } from './lists/rows-rules.ts'
import { changesMeaning } from './meaning-rules.ts'
import { siteOf } from './site-heads-rules.ts'

/** A change as the rules leave it, and what each of them explained. */
export type Verdict = { classification: Classification; explained: ExplainedWords[] }

export const classify = (before: ReadText, after: ReadText, changes: Change[], site = siteOf([])): Classification =>
  judge(before, after, changes, site).classification

/** Applies the rules about changes in their order, and says how much what is left says. */
export function judge(before: ReadText, after: ReadText, changes: Change[], site = siteOf([])): Verdict {
  const explained: ExplainedWords[] = []
  if (before.normalForm === after.normalForm) return { classification: 'cosmetic', explained }
  let said = changes
  for (const { name, rest } of applied(CHANGE_RULES, before.without)) {
    if (said.length === 0) break
    const left = rest(said, before, after, site)
    const words = wordsOf(said) - wordsOf(left)
    if (words > 0 || left.length < said.length) explained.push({ rule: name, words: Math.max(words, 0) })
    said = left
  }
  return { classification: classificationOf(before, after, said), explained }
}

const wordsOf = (changes: Change[]): number => {
  const { removed, added } = wordsChanged(changes)
  return removed + added
}

/**
 * How much a change says. Cosmetic: the same words, or what a rule explains. Dates: nothing but dates. Minor: at most
 * {@link MINOR_WORDS} words, none of which turns a clause around or names a row. Everything else is substantive, and so is an
 * entry that moved from one list to another.
 */
function classificationOf(before: ReadText, after: ReadText, said: Change[]): Classification {
  if (changedLists(before.blocks, after.blocks)) return 'substantive'
  if (said.length === 0) return 'cosmetic'
  if (normalFormWithoutDates(before) === normalFormWithoutDates(after) && sameBesideDates(said)) return 'dates'
  if (said.some(changesMeaning) || rowsCameOrWent(said)) return 'substantive'
  const { removed, added } = wordsChanged(said)
  return Math.max(removed, added) > MINOR_WORDS ? 'substantive' : 'minor'
}
