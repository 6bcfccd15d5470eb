import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { rankingOf, type SourceDeclaration } from '../schema.ts'

/** Records a declared price source and what its declaration says. */
export async function declarePriceSource(sql: Sql, declared: SourceDeclaration): Promise<void> {
  const { source, format, primary, witness = false, intervalSeconds } = declared
  const { rank, speaksFor, staleAfterSeconds, complete } = rankingOf(declared)
  await sql`
    insert into source as s (source, kind, format, primary_source, witness, interval_seconds, rank, speaks_for,
                             stale_after_seconds, complete)
    values (${source}, 'prices', ${format}, ${primary}, ${witness}, ${intervalSeconds}, ${rank},
            ${speaksFor ?? null}, ${staleAfterSeconds}, ${complete})
    on conflict (source) do update
    set format = excluded.format, primary_source = excluded.primary_source, witness = excluded.witness,
        interval_seconds = excluded.interval_seconds, rank = excluded.rank, speaks_for = excluded.speaks_for,
        stale_after_seconds = excluded.stale_after_seconds,
        complete = excluded.complete
    where (s.format, s.primary_source, s.witness, s.interval_seconds, s.rank, s.speaks_for, s.stale_after_seconds, s.complete)
       is distinct from (excluded.format, excluded.primary_source, excluded.witness, excluded.interval_seconds,
                         excluded.rank, excluded.speaks_for, excluded.stale_after_seconds, excluded.complete)`
}

/** Claims the source's lines for this transaction. Returns false when they changed since `priceVersion` was read. */
export async function claimPriceVersion(tx: Tx, source: string, priceVersion: string): Promise<boolean> {
  const claimed = await tx`
    update source set price_version = price_version + 1
    where source = ${source} and price_version = ${priceVersion}
    returning source`
  return claimed.length === 1
}

export type IngestedSnapshot = { source: string; snapshotHash: string; parserVersion: number; lines: number }

/** Records what the source's lines were last derived from. */
export async function recordIngested(tx: Tx, ingested: IngestedSnapshot, at: Instant): Promise<void> {
  await tx`
    update source
    set ingested_hash = ${ingested.snapshotHash}, ingested_parser = ${ingested.parserVersion}, ingested_at = ${at},
        ingested_lines = ${ingested.lines}, read_again = false,
        starts_quietly = false, complete_from = case when complete then coalesce(complete_from, ${at}) end
    where source = ${ingested.source}`
}

/** Invalidates the plans that were made on the source's lines. Waits for a snapshot that is being ingested. */
export async function raisePriceVersion(tx: Tx, source: string): Promise<void> {
  await tx`update source set price_version = price_version + 1 where source = ${source}`
}

/**
 * Has the next check of a source read its snapshot, also where its bytes did not change, and also where a collection is
 * under way that read it before.
 */
export async function readAgain(tx: Tx, source: string): Promise<void> {
  await tx`update source set read_again = true where source = ${source}`
}
