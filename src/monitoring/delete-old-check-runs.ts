import { DAY, type Instant, plus } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { deleteCheckRunsBefore } from './check-run-store.ts'

const RUNS_KEPT_MS = 30 * DAY

/** Deletes records of checks that are 30 days old, at most `limit` at once. Returns how many. */
export const deleteOldCheckRuns = (sql: Sql, now: Instant, limit: number): Promise<number> =>
  deleteCheckRunsBefore(sql, plus(now, -RUNS_KEPT_MS), limit)
