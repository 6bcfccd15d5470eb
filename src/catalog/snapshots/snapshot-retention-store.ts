import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** Deletes lines of the sources' log up to `cutoff` that changed nothing, at most `limit`. Returns how many. */
export async function deleteFetchesBefore(db: Db, cutoff: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from source_fetch
    where fetch_id in (
      select fetch_id from source_fetch where at <= ${cutoff} and outcome <> 'changed'
      limit ${limit})
    returning 1`
  return rows.length
}

/**
 * Deletes snapshots up to `cutoff` that nothing refers to: no price, no announced price, no document version, no line
 * of a source's log, no source as what it last read. At most `limit`; returns how many.
 */
export async function deleteSnapshotsBefore(db: Db, cutoff: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from snapshot
    where hash = any (array(
      select hash from snapshot s
      where created_at <= ${cutoff}
        and not exists (select from source where s.hash in (snapshot_hash, ingested_hash, reading_hash))
        and not exists (select from source_fetch where snapshot_hash = s.hash)
        and not exists (select from price_row where snapshot_hash = s.hash)
        and not exists (select from upcoming_price where snapshot_hash = s.hash)
        and not exists (select from document_version where snapshot_hash = s.hash)
      limit ${limit} for update skip locked))
    returning 1`
  return rows.length
}
