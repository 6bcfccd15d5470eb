import { publishing, type Stamp } from '../../src/catalog/clock-store.ts'
import { sha256 } from '../../src/lib/hash.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql, Tx } from '../../src/lib/sql.ts'
import { publicationBody } from '../../src/prices/history/history-rules.ts'

/** A price put straight into the history, for tests that need exact instants, statuses and sizes. */
export type SeedRow = {
  provider: string
  resource: string
  price: string
  source?: string
  dimension?: string
  unit?: string
  currency?: string
  pricingTier?: Record<string, string>
  creditPriced?: boolean
  approvalStatus?: 'approved' | 'auto_approved'
}

export const SEED_SOURCE = 'seed'

export async function seedProviders(
  sql: Sql,
  at: Instant | undefined,
  providers: { provider: string; creditPriced?: boolean; status?: 'active' | 'pending' | 'retired' }[],
): Promise<void> {
  await publishing(
    sql,
    async (tx, stamp) => {
      await tx`
        insert into source (source, kind, format, interval_seconds, last_good_at, last_checked_at)
        values (${SEED_SOURCE}, 'prices', 'curated', 3600, clock_timestamp(), clock_timestamp())
        on conflict do nothing`
      for (const { provider, creditPriced = false, status = 'active' } of providers) {
        await tx`
          insert into provider (provider, name, credit_priced, activated_at, created_at)
          values (${provider}, ${provider.toUpperCase()}, ${creditPriced}, ${status === 'active' ? stamp.at : null}, ${stamp.at})`
        await tx`insert into provider_status values (${provider}, ${stamp.at}, ${status})`
        await tx`insert into source_provider values (${SEED_SOURCE}, ${provider})`
      }
    },
    at,
  )
}

/** Publishes rows at an instant (now when none is given) and answers their content hashes. */
export async function publish(sql: Sql, rows: SeedRow[], at?: Instant): Promise<string[]> {
  return await publishing(sql, (tx, stamp) => publishIn(tx, stamp, rows), at)
}

export async function publishIn(tx: Tx, stamp: Stamp, rows: SeedRow[]): Promise<string[]> {
  const seeded = rows.map((given) => {
    const row = {
      source: SEED_SOURCE,
      dimension: 'input_tokens',
      unit: 'usd_per_token',
      currency: 'USD',
      pricingTier: {},
      approvalStatus: 'auto_approved' as const,
      creditPriced: false,
      ...given,
    }
    const contentHash = sha256(JSON.stringify([row, stamp.at]))
    const body = publicationBody({ ...row, recordedAt: stamp.at, contentHash })
    return {
      content_hash: contentHash,
      published_at: stamp.at,
      provider: row.provider,
      source: row.source,
      resource: row.resource,
      credit_priced: row.creditPriced,
      body,
    }
  })
  for (let n = 0; n < seeded.length; n += 5_000) await tx`insert into publication ${tx(seeded.slice(n, n + 5_000))}`
  return seeded.map((row) => row.content_hash)
}

/** Stops serving rows from an instant on, as a withdrawal or a removal does. */
export async function withdraw(sql: Sql, hashes: string[], at?: Instant): Promise<void> {
  await publishing(sql, (tx, stamp) => withdrawIn(tx, stamp, hashes), at)
}

export async function withdrawIn(tx: Tx, stamp: Stamp, hashes: string[]): Promise<void> {
  await tx`
    update publication set unpublished_at = ${stamp.at}
    where content_hash = any(${hashes}::text[]) and unpublished_at is null`
}

/** Serves withdrawn rows again, by a person's decision. */
export async function restoreIn(tx: Tx, stamp: Stamp, hashes: string[]): Promise<void> {
  await tx`
    insert into publication (content_hash, published_at, provider, source, resource, credit_priced, body)
    select distinct on (content_hash) content_hash, ${stamp.at}, provider, source, resource, credit_priced,
           replace(body, '"auto_approved"', '"approved"')
    from publication p
    where content_hash = any(${hashes}::text[])
      and not exists (select from publication o where o.content_hash = p.content_hash and o.unpublished_at is null)
    order by content_hash, published_at desc`
}

export async function renameIn(tx: Tx, stamp: Stamp, provider: string, from: string, to: string): Promise<void> {
  await tx`
    update resource_rename set ended_at = ${stamp.at}
    where source = ${SEED_SOURCE} and provider = ${provider} and old_resource = ${to} and ended_at is null`
  await tx`insert into resource_rename values (${SEED_SOURCE}, ${provider}, ${from}, ${to}, ${stamp.at}, null)`
}
