import type { SourceDeclaration } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'

/** Makes a declared price source known, and what the declaration says of it. */
export async function declareSource(sql: Sql, declared: SourceDeclaration): Promise<void> {
  const { source, format, primary, intervalSeconds } = declared
  await sql`
    insert into source as s (source, kind, format, primary_source, interval_seconds)
    values (${source}, 'prices', ${format}, ${primary}, ${intervalSeconds})
    on conflict (source) do update
    set format = excluded.format, primary_source = excluded.primary_source, interval_seconds = excluded.interval_seconds
    where (s.format, s.primary_source, s.interval_seconds)
       is distinct from (excluded.format, excluded.primary_source, excluded.interval_seconds)`
}

/** Takes the source's lines for this transaction; false when they changed since `priceVersion` was read. */
export async function claimSource(tx: Tx, source: string, priceVersion: string): Promise<boolean> {
  const claimed = await tx`
    update source set price_version = price_version + 1
    where source = ${source} and price_version = ${priceVersion}
    returning source`
  return claimed.length === 1
}

export type Ingested = { source: string; snapshotHash: string; parserVersion: number; lines: number }

/** Remembers what the source's lines were last derived from. */
export async function finishSource(tx: Tx, ingested: Ingested, at: Instant): Promise<void> {
  await tx`
    update source
    set ingested_hash = ${ingested.snapshotHash}, ingested_parser = ${ingested.parserVersion}, ingested_at = ${at},
        ingested_lines = ${ingested.lines}
    where source = ${ingested.source}`
}

/** Tells plans made on the source's lines that they no longer stand; waits for a snapshot that is being taken in. */
export async function touchSource(tx: Tx, source: string): Promise<void> {
  await tx`update source set price_version = price_version + 1 where source = ${source}`
}

/** Makes a row a line's current one, or none; `decidedPrice` is what the source may go on saying without effect. */
export async function setCurrent(tx: Tx, lineId: string, hash?: string, decidedPrice?: string): Promise<void> {
  await tx`
    update price_line
    set current_hash = ${hash ?? null}, decided_price = ${decidedPrice ?? null}
    where line_id = ${lineId}`
}
