import { AppError } from '../lib/errors.ts'
import type { Db } from '../lib/sql.ts'
import { newestCheckpoint, type StoredCheckpoint } from './log-store.ts'

/** Seconds after which the next check has written the log. */
export const LOG_RETRY_SECONDS = 300

/**
 * Returns the checkpoint that proofs lead to, or the newest of the log with a path.
 * @throws AppError unavailable before the first one is signed, not_found for a path that the log never had
 */
export async function signedLog(db: Db, path?: string): Promise<StoredCheckpoint> {
  const newest = await newestCheckpoint(db, path)
  if (newest) return newest
  if (path !== undefined)
    throw new AppError('not_found', 'There is no such log here. GET /v1/log/keys lists the paths of its files.')
  throw notSignedYet()
}

/** Before the first checkpoint. */
export const notSignedYet = () =>
  new AppError('unavailable', 'The publication log is not signed yet: a check does that, every five minutes.', {
    retryAfter: LOG_RETRY_SECONDS,
  })
