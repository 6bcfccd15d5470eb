import { DAY, epochMs, HOUR, type Instant, instantOf } from '../lib/instant.ts'
import type { Frequency } from './schema.ts'

/** Digests go out at this hour, UTC; weekly ones on Mondays. */
const DIGEST_HOUR = 7
/** 1 January 1970 was a Thursday: the first Monday came four days later. */
const FIRST_MONDAY_MS = 4 * DAY

/** Returns the newest instant, up to now, from which on a digest of this frequency is due. */
export function digestDue(frequency: Exclude<Frequency, 'at_once'>, now: Instant): Instant {
  const [every, first] = frequency === 'daily' ? [DAY, 0] : [7 * DAY, FIRST_MONDAY_MS]
  const start = first + DIGEST_HOUR * HOUR
  return instantOf(start + Math.floor((epochMs(now) - start) / every) * every)
}

/** Whether mails of this frequency are to be planned. */
export const isDue = (frequency: Frequency, now: Instant, plannedAt: Instant): boolean =>
  frequency === 'at_once' || plannedAt < digestDue(frequency, now)
