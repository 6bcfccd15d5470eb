import { HOUR, type Instant, MINUTE, plus } from '../../lib/instant.ts'

/** The retry schedule: how long each retry waits after the failure before it (specification, Timing and retries). */
export const RETRY_WAITS_MS = [5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] as const
export const MAX_ATTEMPTS = RETRY_WAITS_MS.length + 1

/** When the attempt after the failed one is due; undefined after the last. */
export function nextTry(failedNumber: number, failedAt: Instant): Instant | undefined {
  const wait = RETRY_WAITS_MS[failedNumber - 1]
  if (wait === undefined) return undefined
  return plus(failedAt, wait)
}

/** A wait as an operator reads it: `5 min`, `2 h`, `1 h 58 min`. */
export function formatWait(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  if (minutes % 60 === 0) return `${hours} h`
  return `${hours} h ${minutes % 60} min`
}
