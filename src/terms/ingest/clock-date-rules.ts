import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import type { Classification } from '../schema.ts'

/** A text of which only the date moved, as it is kept with its version. */
export const DATE_MOVES = 'its date moves with the day'
/** A date that states the day of a fetch is at most so far from it. */
const NEAR_MS = 3 * DAY

type Dated = { firstSeenAt: Instant; effectiveDate?: string; updatedDate?: string }
type DatedVersion = Dated & { classification?: Classification; reasons: string[] }

/**
 * Returns whether a document states the day on which it is fetched: nothing but its date changed, for the second time in
 * a row, and each time to the day it was seen.
 */
export function dateMovesWithTheDay(previous: DatedVersion, next: Dated): boolean {
  const movedBefore = previous.classification === 'dates' || previous.reasons.includes(DATE_MOVES)
  // Of two dates, the one that stays says nothing about the one that moves.
  const moves = previous.updatedDate === next.updatedDate ? 'effectiveDate' : 'updatedDate'
  return movedBefore && isOfItsDay(previous, moves) && isOfItsDay(next, moves)
}

function isOfItsDay(text: Dated, moves: 'effectiveDate' | 'updatedDate'): boolean {
  const stated = text[moves] ?? text.effectiveDate
  return stated !== undefined && Math.abs(Date.parse(stated) - epochMs(text.firstSeenAt)) <= NEAR_MS
}
