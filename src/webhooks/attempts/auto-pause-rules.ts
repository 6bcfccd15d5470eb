import { DAY, epochMs, type Instant, plus } from '../../lib/instant.ts'

/** A webhook pauses when this many attempts in a row failed … */
const PAUSE_AFTER_FAILURES = 5
/** … and the first of them is at least this long before the last (specification, Limits). */
const PAUSE_AFTER_MS = DAY
export const PAUSE_REASON = 'The last attempts all failed, over at least 24 hours.'

/** A webhook's failed attempts in a row. */
export type Streak = { failuresInRow: number; firstFailureAt?: Instant }

/** What the rule implies for a streak: the webhook pauses with the failure that meets both. */
export type PauseForecast = { failuresLeft: number; notBefore: Instant }

/** Returns what would pause a webhook now; undefined while nothing has failed since the last success. */
export function pauseForecast({ failuresInRow, firstFailureAt }: Streak): PauseForecast | undefined {
  if (failuresInRow === 0 || firstFailureAt === undefined) return undefined
  const failuresLeft = Math.max(1, PAUSE_AFTER_FAILURES - failuresInRow)
  return { failuresLeft, notBefore: plus(firstFailureAt, PAUSE_AFTER_MS) }
}

/** The streak after one more failed attempt, and whether it pauses the webhook. */
export function afterFailure(streak: Streak, failedAt: Instant): Required<Streak> & { pauses: boolean } {
  const failuresInRow = streak.failuresInRow + 1
  const firstFailureAt = streak.firstFailureAt ?? failedAt
  const lasted = epochMs(failedAt) - epochMs(firstFailureAt)
  return { failuresInRow, firstFailureAt, pauses: failuresInRow >= PAUSE_AFTER_FAILURES && lasted >= PAUSE_AFTER_MS }
}
