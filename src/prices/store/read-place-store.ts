import type { Db } from '../../lib/sql.ts'

type ReadRow = { contentHash: string; provider: string; source: string; snapshotHash: string }

/** Returns in which snapshots rows were read. A row that a person entered was read nowhere. */
export const snapshotsOfRows = (db: Db, hashes: string[]): Promise<ReadRow[]> => db<ReadRow[]>`
  select r.content_hash as "contentHash", l.provider, l.source, r.snapshot_hash as "snapshotHash"
  from price_row r join price_line l using (line_id)
  where r.content_hash = any(${hashes}::text[]) and r.snapshot_hash is not null
    -- What a source shows begins without a person; what a person entered is approved by that person at once.
    and (select actor from price_status s where s.content_hash = r.content_hash order by s.seq limit 1) is null`
