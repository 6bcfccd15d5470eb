import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { sha256 } from '../../src/lib/hash.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { type IngestInput, ingestPrices } from '../../src/prices/ingest.ts'
import type { Observation } from '../../src/prices/schema.ts'

/** One USD price per token of a resource of `acme`, unless `more` says otherwise. */
export function observed(
  resource: string,
  dimension: Observation['dimension'],
  price: string,
  more: Partial<Observation> = {},
): Observation {
  const rest = { unit: 'usd_per_token', currency: 'USD', pricingTier: {}, locator: '/', ...more }
  return { provider: 'acme', resource, dimension, price, ...rest }
}

/** Takes these observations in as one snapshot of a source, as a collector would have them taken in. */
export async function snapshot(sql: Sql, source: string, observations: Observation[], more: Partial<IngestInput> = {}) {
  const bytes = JSON.stringify(observations)
  const snapshotHash = sha256(bytes)
  await sql`
    insert into snapshot (hash, size, bytes, created_at) values (${snapshotHash}, ${bytes.length}, ${Buffer.from(bytes)}, now())
    on conflict do nothing`
  const providers = [...new Set(observations.map((one) => one.provider))].map((provider) => ({
    provider,
    name: provider,
  }))
  return ingestPrices(sql, {
    source: sourceDeclaration.parse({ source, format: 'hand' }),
    snapshotHash,
    parserVersion: 1,
    parsed: { providers, observations, ignored: [] },
    ...more,
  })
}

/** The bodies of a type's events, in commit order. */
export async function eventsOf(sql: Sql, type: string): Promise<Record<string, unknown>[]> {
  const rows = await sql<{ body: string }[]>`select body from event where type = ${type} order by seq`
  return rows.map((row) => JSON.parse(row.body))
}
