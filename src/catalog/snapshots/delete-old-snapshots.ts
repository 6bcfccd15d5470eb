import { DAY, type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { deleteFetchesBefore, deleteSnapshotsBefore } from './snapshot-retention-store.ts'

/** How long the log of checks keeps those that changed nothing, and what was fetched in them. */
const FETCHES_KEPT_MS = 30 * DAY

/**
 * Deletes lines of the sources' log that are 30 days old and changed nothing. Those that changed something stay: from
 * their snapshots everything can be derived again. At most `limit` at once; returns how many.
 */
export const deleteOldFetches = (sql: Sql, now: Instant, limit: number): Promise<number> =>
  deleteFetchesBefore(sql, plus(now, -FETCHES_KEPT_MS), limit)

/** Deletes snapshots that are 30 days old and that nothing refers to. At most `limit` at once; returns how many. */
export const deleteUnusedSnapshots = (sql: Sql, now: Instant, limit: number): Promise<number> =>
  deleteSnapshotsBefore(sql, plus(now, -FETCHES_KEPT_MS), limit)
