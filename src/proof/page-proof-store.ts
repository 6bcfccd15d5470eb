import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import type { RowLeaf } from './leaf-rules.ts'

/** The newest status that published a row, and the tile that its leaf is in; null where the log is not that far. */
export type PublishedRow = { contentHash: string; at: Instant; status: RowLeaf['status']; tile: number | null }

/** Returns it for each of these rows that was ever published. */
export async function publishedRows(db: Db, hashes: string[]): Promise<PublishedRow[]> {
  const rows = await db<(Omit<PublishedRow, 'tile'> & { tile: string | null })[]>`
    with published as (
      select distinct on (content_hash) content_hash, seq, at, status from price_status
      where content_hash = any (${hashes}::text[]) and status in ('approved', 'auto_approved')
      order by content_hash, seq desc
    )
    select p.content_hash as "contentHash", p.at, p.status, t.tile
    from published p left join lateral (
      select e.tile from log_entries e where e.after_seq < p.seq order by e.after_seq desc, e.tile desc limit 1
    ) t on true`
  return rows.map(({ tile, ...row }) => ({ ...row, tile: tile === null ? null : Number(tile) }))
}
