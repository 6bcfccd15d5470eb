import { DAY, type Instant, plus } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'

/** How long the log of checks keeps those that changed nothing, and what was fetched in them. */
const FETCHES_KEPT_MS = 30 * DAY

/**
 * Deletes lines of the sources' log that are 30 days old and changed nothing. Those that changed something stay: from
 * their snapshots everything can be derived again. At most `limit` at once; returns how many.
 */
export async function deleteOldFetches(db: Db, now: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from source_fetch
    where fetch_id in (
      select fetch_id from source_fetch where at <= ${plus(now, -FETCHES_KEPT_MS)} and outcome <> 'changed'
      limit ${limit})
    returning 1`
  return rows.length
}

/**
 * Deletes snapshots that are 30 days old and that nothing refers to: no price, no document version, no line of a
 * source's log, no source as what it last read. At most `limit` at once; returns how many.
 */
export async function deleteUnusedSnapshots(db: Db, now: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from snapshot
    where hash in (
      select hash from snapshot s
      where created_at <= ${plus(now, -FETCHES_KEPT_MS)}
        and not exists (select from source where s.hash in (snapshot_hash, ingested_hash, reading_hash))
        and not exists (select from source_fetch where snapshot_hash = s.hash)
        and not exists (select from price_row where snapshot_hash = s.hash)
        and not exists (select from document_version where snapshot_hash = s.hash)
      limit ${limit} for update skip locked)
    returning 1`
  return rows.length
}
