import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import type { RowLeaf } from './tree/leaf-rules.ts'

/** The newest status that published a row, with its number, and the tile that its leaf is in where the log is that far. */
export type PublishedRow = { contentHash: string; seq: number; at: Instant; status: RowLeaf['status']; tile?: number }

/** Returns it for each of these rows that was ever published. */
export async function publishedRows(db: Db, hashes: string[]): Promise<PublishedRow[]> {
  const rows = await db<(Omit<PublishedRow, 'seq' | 'tile'> & { seq: string; tile: string | null })[]>`
    with published as (
      select distinct on (content_hash) content_hash, seq, at, status from price_status
      where content_hash = any (${hashes}::text[]) and status in ('approved', 'auto_approved')
      order by content_hash, seq desc
    )
    select p.content_hash as "contentHash", p.seq, p.at, p.status, t.tile
    from published p left join lateral (
      select e.tile from log_entries e where e.after_seq < p.seq order by e.after_seq desc, e.tile desc limit 1
    ) t on true`
  return rows.map(({ seq, tile, ...row }) => ({
    ...row,
    seq: Number(seq),
    tile: tile === null ? undefined : Number(tile),
  }))
}
