import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'

/** Records that a price source itself answered well, with its rank now. Returns false for a source of documents. */
export async function recordGoodFetch(tx: Tx, source: string, at: Instant): Promise<boolean> {
  const rows = await tx`
    insert into good_fetch (source, at, rank, speaks_for, stale_after_seconds)
    select source, ${at}, rank, speaks_for, stale_after_seconds from source where source = ${source} and kind = 'prices'
    returning 1`
  return rows.length > 0
}
