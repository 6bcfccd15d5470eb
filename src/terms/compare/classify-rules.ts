import { normalFormWithoutDates, type ReadText } from '../normalize/normal-form-rules.ts'
import { applied } from '../rule.ts'
import { type Classification, MINOR_WORDS } from '../schema.ts'
import { CHANGE_RULES } from './change-table-rules.ts'
import { type Change, wordsChanged } from './changes-rules.ts'
import { sameBesideDates } from './date-lines-rules.ts'
import { changedLists } from './lists/lists-rules.ts'
import { rowsCameOrWent } from './lists/rows-rules.ts'
import { changesMeaning } from './meaning-rules.ts'
import { siteOf } from './site-heads-rules.ts'

/**
 * How much a change says. Cosmetic: the same words, or what a rule explains. Dates: nothing but dates. Minor: at most
 * {@link MINOR_WORDS} words, none of which turns a clause around or names a row. Everything else is substantive, and so is an
 * entry that moved from one list to another.
 */
export function classify(before: ReadText, after: ReadText, changes: Change[], site = siteOf([])): Classification {
  if (before.normalForm === after.normalForm) return 'cosmetic'
  const rules = applied(CHANGE_RULES, before.without)
  const said = rules.reduce((rest, rule) => (rest.length === 0 ? rest : rule.rest(rest, before, after, site)), changes)
  if (changedLists(before.blocks, after.blocks)) return 'substantive'
  if (said.length === 0) return 'cosmetic'
  if (normalFormWithoutDates(before) === normalFormWithoutDates(after) && sameBesideDates(said)) return 'dates'
  if (said.some(changesMeaning) || rowsCameOrWent(said)) return 'substantive'
  const { removed, added } = wordsChanged(said)
  return Math.max(removed, added) > MINOR_WORDS ? 'substantive' : 'minor'
}
