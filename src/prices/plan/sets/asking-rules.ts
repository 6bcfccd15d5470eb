import { resourceKey } from '../../../catalog/resource-rules.ts'
import { isEndedByTime, NOT_ENDED_BY_TIME } from '../holds/end-rules.ts'
import type { HoldReason } from '../holds/index.ts'
import type { AbsenceToReview, Facts } from '../schema.ts'

/** What decides whether someone is asked about what waits. */
export type Asking = Pick<Facts, 'isBehind' | 'listedElsewhere'>

/** A held price: why, and whether another price of its line is served. */
export type HeldPrice = { reasons: string[]; isChange: boolean }

/**
 * Whether held prices need a person. What time ends does not, nor what a list behind others has for the first time: while
 * it is in doubt nothing is served, as if that list were silent.
 */
export const asksAboutPrices = (held: HeldPrice[], { isBehind }: Pick<Asking, 'isBehind'>): boolean =>
  !isEndedByTime(held.flatMap(({ reasons }) => reasons as HoldReason[])) &&
  (!isBehind || held.some(({ isChange, reasons }) => isChange && !isEndedByTime(reasons as HoldReason[])))

/**
 * Whether an absence needs a person. Time ends what no one else lists, and what may have been renamed: none of those that were
 * read in recorded lists was. A provider as a whole is a person's to end.
 */
function asksAboutAbsence(item: AbsenceToReview, { isBehind, listedElsewhere }: Asking): boolean {
  const { provider, kind, reason } = item
  if (reason === 'whole_provider_missing') return true
  if (kind === 'rename') return false
  if (isBehind) return kind === 'line_removal'
  return (
    kind !== 'removal' || item.resources.some((resource) => listedElsewhere.has(resourceKey({ provider, resource })))
  )
}

/** Returns absences with whether each asks a person. */
export const withAsking = (items: AbsenceToReview[], asking: Asking): (AbsenceToReview & { asks: boolean })[] =>
  items.map((item) => ({ ...item, asks: asksAboutAbsence(item, asking) }))

/** Returns the reasons for which an item begins to ask when it is judged again. */
export const reasonsToAsk = ({ isBehind }: Asking): HoldReason[] => (isBehind ? [] : NOT_ENDED_BY_TIME)
