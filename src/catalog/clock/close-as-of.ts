import { AppError } from '../../lib/errors.ts'
import { type Instant, MINUTE } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { moveClock } from './clock-store.ts'

/**
 * How close to the present a reader moves the clock: with instants at least 15 minutes old, one reader's write then
 * serves every reader of the next ten minutes.
 */
const CLOSE_AHEAD_MS = 5 * MINUTE
/** A reader waits this long for the publication in progress; then its client is requested to come back. */
const CLOSE_WAIT_MS = 1_000
const RETRY_SECONDS = 1

const LOCK_NOT_AVAILABLE = '55P03'

/** The closing in progress of each pool, with the instant up to which everything is closed afterwards. */
const closings = new WeakMap<Sql, Promise<Instant>>()

/**
 * Closes an instant before it is read at: from here on nothing is stamped at or before it. Readers of one node share
 * one closing, so that at most one of its connections waits for a publication.
 * @throws AppError `unavailable` when a publication has been in progress for too long
 */
export async function closeAsOf(sql: Sql, at: Instant): Promise<void> {
  for (let running = closings.get(sql); running; running = closings.get(sql)) if ((await running) >= at) return
  const closing = close(sql, at)
  closings.set(sql, closing)
  try {
    await closing
  } finally {
    closings.delete(sql)
  }
}

async function close(sql: Sql, at: Instant): Promise<Instant> {
  try {
    return await moveClock(sql, at, { aheadMs: CLOSE_AHEAD_MS, waitMs: CLOSE_WAIT_MS })
  } catch (cause) {
    if ((cause as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw cause
    throw new AppError(
      'unavailable',
      'Prices are being published at the moment, and this instant cannot be read until that is done. ' +
        'Wait retry-after seconds, then send the request again.',
      { retryAfter: RETRY_SECONDS, cause },
    )
  }
}
