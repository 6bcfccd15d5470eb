import { DAY, HOUR, type Instant, MINUTE, plus, SECOND } from '../../lib/instant.ts'

/** After a failure a source is tried again this soon, then twice as late each time, up to the longest wait. */
const FIRST_BACK_OFF_MS = 5 * MINUTE
const LONGEST_BACK_OFF_MS = 6 * HOUR
/** A source not checked with success for this many of its intervals is stale. */
export const STALE_AFTER_INTERVALS = 3
/** No source is called stale sooner: one late check is not an alarm. */
export const STALE_AFTER_MS = 30 * MINUTE

/** When a source whose last check succeeded is due again. */
export const nextDue = (checkedAt: Instant, intervalSeconds: number): Instant =>
  plus(checkedAt, intervalSeconds * SECOND)

/** When a source that failed `failures` times in a row is due again; never sooner than the other side asked for. */
export function dueAfterFailure(failedAt: Instant, failures: number, retryAfterMs = 0): Instant {
  const doubled = FIRST_BACK_OFF_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 20)
  const wait = Math.max(Math.min(doubled, LONGEST_BACK_OFF_MS), Math.min(retryAfterMs, LONGEST_BACK_OFF_MS))
  return plus(failedAt, wait)
}

/** A page that was read and shows no document is requested later each time, up to this. */
const LONGEST_QUARANTINE_MS = DAY

/** When a page that was quarantined `times` times in a row is due again: never sooner than its interval. */
export function dueAfterQuarantine(at: Instant, intervalSeconds: number, times: number): Instant {
  const interval = intervalSeconds * SECOND
  const wait = interval * 2 ** Math.min(Math.max(times, 1) - 1, 20)
  return plus(at, Math.max(interval, Math.min(wait, LONGEST_QUARANTINE_MS)))
}

export type Freshness = 'fresh' | 'stale' | 'unknown'

/** Whether what a source says was confirmed lately: silence is only evidence after a check that succeeded. */
export function freshnessOf(
  source: { lastGoodAt?: Instant; intervalSeconds: number } | undefined,
  at: Instant,
): Freshness {
  if (!source?.lastGoodAt) return 'unknown'
  const limit = Math.max(STALE_AFTER_INTERVALS * source.intervalSeconds * SECOND, STALE_AFTER_MS)
  return plus(source.lastGoodAt, limit) >= at ? 'fresh' : 'stale'
}

/** A source that is not declared for this long ends. Until then its prices are served, in case the file was mistyped. */
const SOURCE_ENDS_AFTER_MS = 7 * DAY

/** When a source ends that is not declared since then. */
export const endsAt = (undeclaredAt: Instant): Instant => plus(undeclaredAt, SOURCE_ENDS_AFTER_MS)
