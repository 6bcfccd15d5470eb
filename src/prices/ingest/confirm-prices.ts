import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import {
  ASKED_AFTER_MS,
  REMOVE_AFTER_MS,
  REMOVE_UNASKED_AFTER_MS,
  RETIRE_AFTER_MS,
  STEP_ENDS_AFTER_MS,
} from '../plan/absences/removal-rules.ts'
import { MASS_LEAST, MASS_SHARE } from '../plan/difference/batch-rules.ts'
import { WAIT_FETCHES } from '../plan/holds/end-rules.ts'
import { countFetches, waitingLines } from '../store/waiting-store.ts'
import { repeatUpcoming } from '../upcoming/upcoming-store.ts'
import { confirmedAgainAt, fetchAt, isDue, nextDueFetch } from './confirmation-rules.ts'

const CONFIRMED_AFTER = {
  resourceMs: REMOVE_AFTER_MS,
  askedResourceMs: REMOVE_UNASKED_AFTER_MS,
  lineMs: RETIRE_AFTER_MS,
  stepMs: STEP_ENDS_AFTER_MS,
  againMs: DAY,
  fetches: WAIT_FETCHES,
  lostTogether: { least: MASS_LEAST, share: MASS_SHARE, askedMs: ASKED_AFTER_MS },
}

/** Returns when a source should be fetched again, if that is sooner than its interval: a line waits for confirmation. */
export async function recheckAt(sql: Sql, source: string, now: Instant): Promise<Instant | undefined> {
  return confirmedAgainAt(await waitingLines(sql, source, CONFIRMED_AFTER), now)
}

/**
 * Records a good fetch that brought the same bytes as the last one. They are not read again: what the source says is
 * confirmed once more. Returns whether that may change the state of a line; then the snapshot has to be ingested.
 */
export async function confirmPrices(sql: Sql, source: string, now: Instant): Promise<{ due: boolean }> {
  const waiting = await waitingLines(sql, source, CONFIRMED_AFTER)
  if (waiting.some((line) => isDue(line, now))) return { due: true }
  if (waiting.length > 0) await countFetches(sql, source, 1)
  await repeatUpcoming(sql, source, now, 1)
  return { due: false }
}

type Fetches = { last: Instant; end: Instant; intervalMs: number }

/**
 * Does the same for the fetches after `last` and before `end`, one per interval, up to the first that may change the
 * state of a line. Returns the instant of that one; undefined when there is none. For replaying history.
 */
export async function confirmUntilDue(
  sql: Sql,
  source: string,
  { last, end, intervalMs }: Fetches,
): Promise<Instant | undefined> {
  const waiting = await waitingLines(sql, source, CONFIRMED_AFTER)
  const number = nextDueFetch(waiting, last, intervalMs)
  const fetches = Math.ceil((epochMs(end) - epochMs(last)) / intervalMs) - 1
  const at = number === undefined ? end : fetchAt(last, number, intervalMs)
  const repeated = at < end ? number! - 1 : fetches
  if (repeated > 0) await repeatUpcoming(sql, source, fetchAt(last, repeated, intervalMs), repeated)
  if (number === undefined) return undefined
  if (at < end) {
    if (number > 1) await countFetches(sql, source, number - 1)
    return at
  }
  if (fetches > 0) await countFetches(sql, source, fetches)
  return undefined
}
