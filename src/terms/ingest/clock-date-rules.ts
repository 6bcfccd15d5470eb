import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import type { Classification } from '../schema.ts'

/** A text of which only the date moved, as it is kept with its version. */
export const DATE_MOVES = 'its date moves with the day'
/** A date that states the day of a fetch is at most so far from it. */
const NEAR_MS = 3 * DAY
/**
 * A page that prints the day moves whenever it is rendered: every day, or every few weeks where an old copy is served in between.
 * A provider states the day of a change too, but two changes of a document lie further apart.
 */
const MOVES_WITHIN_MS = 14 * DAY

type TextDates = { firstSeenAt: Instant; effectiveDate?: string; updatedDate?: string }
type DatedVersion = TextDates & { classification?: Classification; reasons: string[] }

/**
 * Returns whether a document states the day on which it is fetched: nothing but its date changed, for the second time in
 * a row and soon after the first, and each time to the day it was seen. With a second date that moved too, it was changed.
 */
export function dateMovesWithTheDay(previous: DatedVersion, next: TextDates, datesMoved: number): boolean {
  const movedBefore = previous.classification === 'dates' || previous.reasons.includes(DATE_MOVES)
  // Of two dates, the one that stays says nothing about the one that moves.
  const moves = previous.updatedDate === next.updatedDate ? 'effectiveDate' : 'updatedDate'
  const [was, is] = [previous, next].map((text) => text[moves] ?? text.effectiveDate)
  const apart = epochMs(next.firstSeenAt) - epochMs(previous.firstSeenAt)
  if (!movedBefore || datesMoved !== 1 || was === is || apart > MOVES_WITHIN_MS) return false
  return isOfItsDay(was, previous) && isOfItsDay(is, next)
}

const isOfItsDay = (stated: string | undefined, { firstSeenAt }: TextDates): boolean =>
  stated !== undefined && Math.abs(Date.parse(stated) - epochMs(firstSeenAt)) <= NEAR_MS
