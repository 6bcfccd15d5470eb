import { DAY, epochMs, type Instant } from '../../lib/instant.ts'

/** A webhook pauses when this many attempts in a row failed … */
const PAUSE_AFTER_FAILURES = 5
/** … and the first of them is at least this long before the last (specification, Limits). */
const PAUSE_AFTER_MS = DAY
export const PAUSE_REASON = 'The last attempts all failed, over at least 24 hours.'

/** A webhook's failed attempts in a row. */
export type Streak = { failuresInRow: number; firstFailureAt?: Instant }

/** The streak after one more failed attempt, and whether it pauses the webhook. */
export function afterFailure(streak: Streak, failedAt: Instant): Required<Streak> & { pauses: boolean } {
  const failuresInRow = streak.failuresInRow + 1
  const firstFailureAt = streak.firstFailureAt ?? failedAt
  const lasted = epochMs(failedAt) - epochMs(firstFailureAt)
  return { failuresInRow, firstFailureAt, pauses: failuresInRow >= PAUSE_AFTER_FAILURES && lasted >= PAUSE_AFTER_MS }
}
