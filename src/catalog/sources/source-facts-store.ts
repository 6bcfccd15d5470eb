import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { RANKS, type Rank } from '../schema.ts'

/** What readers of prices know about a source. */
export type SourceFacts = {
  source: string
  format: string
  rank: Rank
  /** The providers its rank holds for; null: every one that it names. */
  speaksFor: string[] | null
  declared: boolean
  /** When it was last read well. */
  lastReadAt: Instant | null
  /** Where its last snapshot was read. */
  address: string | null
}

/** Returns what is known about sources, by their name. */
export async function sourceFacts(db: Db, sources: string[]): Promise<Map<string, SourceFacts>> {
  const rows = await db<SourceFacts[]>`
    select s.source, s.format, (${[...RANKS]}::text[])[s.rank + 1] as rank, s.speaks_for as "speaksFor", s.declared,
           greatest(s.last_good_at, s.ingested_at) as "lastReadAt", p.address
    from source s left join snapshot p on p.hash = coalesce(s.ingested_hash, s.snapshot_hash)
    where s.source = any(${sources}::text[])`
  return new Map(rows.map((row) => [row.source, row]))
}
