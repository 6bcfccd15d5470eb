import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { type SourceDeclaration, sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources } from '../../src/catalog/sources/source-store.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { type IngestInput, ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import type { Observation } from '../../src/prices/schema.ts'

/** Declares exactly these sources of prices, in this order. */
export const declareLists = (sql: Sql, sources: SourceDeclaration[]): Promise<void> =>
  declareSources(
    sql,
    sources.map((one) => ({ ...one, kind: 'prices' as const })),
  )

let count = 0

/** Takes these observations in as one snapshot of a source, as a collector would have them taken in. */
export async function snapshot(
  sql: Sql,
  source: string,
  observations: Observation[],
  more: Partial<IngestInput> = {},
  rowsAtOnce?: number,
) {
  const at = more.at ?? (await databaseNow(sql))
  const bytes = Buffer.from(JSON.stringify([observations, count++]))
  const providers = [...new Set(observations.map((item) => item.provider))].map((provider) => ({
    provider,
    name: provider,
  }))
  const input = {
    source: sourceDeclaration.parse({ source, format: 'hand' }),
    snapshotHash: await storeSnapshot(sql, { bytes, at }),
    parserVersion: 1,
    parsed: { providers, observations, ignored: [] },
    ...more,
  }
  return ingestPrices(sql, input, rowsAtOnce)
}

type Body = Record<string, unknown>

/** A provider's own list, which may have two names that differ in spelling alone. */
export const ownList = (source: string) => sourceDeclaration.parse({ source, format: 'hand', rank: 'provider' })

/** The bodies of a type's events of a provider, in commit order. */
export async function eventsOf(sql: Sql, type: string, provider = 'acme'): Promise<Body[]> {
  const rows = await sql<{ body: string }[]>`
    select body from event where type = ${type} and provider = ${provider} order by seq`
  return rows.map((row) => JSON.parse(row.body))
}

/** The price of a resource's standard line as it is served now, or undefined. */
export async function priceNow(sql: Sql, resource: string, dimension = 'input_tokens', tier = '{}') {
  const [row] = await sql<{ body: string }[]>`
    select p.body from price_line l
    join price_row r using (line_id)
    join publication p on p.content_hash = r.content_hash and p.unpublished_at is null
    where l.resource = ${resource} and l.dimension = ${dimension} and l.pricing_tier = ${tier}
    order by r.recorded_at desc limit 1`
  return row && (JSON.parse(row.body).price as string)
}
