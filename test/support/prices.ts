import { publishing, type Stamp } from '../../src/catalog/clock/clock-store.ts'
import { recordPricing } from '../../src/catalog/providers/provider-store.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import type { Sql, Tx } from '../../src/lib/sql.ts'
import { publicationBody } from '../../src/prices/history/history-rules.ts'
import { lineKey } from '../../src/prices/row-rules.ts'
import type { LineIdentity } from '../../src/prices/schema.ts'
import { openPublications } from '../../src/prices/store/publication-store.ts'

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
  canonicalResource?: string
  approvalStatus?: 'approved' | 'auto_approved'
}

export const SEED_SOURCE = 'seed'

export async function seedProviders(
  sql: Sql,
  at: Instant | undefined,
  providers: { provider: string; status?: 'active' | 'pending' | 'retired' }[],
): Promise<void> {
  await publishing(
    sql,
    async (tx, stamp) => {
      await tx`
        insert into source (source, kind, format, interval_seconds, last_good_at, last_checked_at)
        values (${SEED_SOURCE}, 'prices', 'curated', 3600, clock_timestamp(), clock_timestamp())
        on conflict do nothing`
      for (const { provider, status = 'active' } of providers) {
        await tx`
          insert into provider (provider, name, activated_at, created_at)
          values (${provider}, ${provider.toUpperCase()}, ${status === 'active' ? stamp.at : null}, ${stamp.at})`
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
  const openings = rows.map((given) => {
    const row = {
      source: SEED_SOURCE,
      dimension: 'input_tokens',
      unit: 'usd_per_token',
      currency: 'USD',
      pricingTier: {},
      approvalStatus: 'auto_approved' as const,
      ...given,
    }
    const contentHash = sha256(JSON.stringify([row, stamp.at]))
    const body = publicationBody({ ...row, recordedAt: stamp.at, contentHash })
    return { ...row, pricingTier: canonicalJson(row.pricingTier), contentHash, recordedAt: stamp.at, body }
  })
  const lines = await seedLines(tx, openings)
  await openPublications(
    tx,
    stamp.at,
    openings.map((row) => ({ ...row, lineId: lines.get(seedKey(row))! })),
  )
  await recordPricing(tx, [...new Set(rows.map(({ provider }) => provider))], stamp.at)
  return openings.map((row) => row.contentHash)
}

type SeedLine = LineIdentity & { source: string }
const seedKey = (line: SeedLine) => `${line.source} ${lineKey(line)}`

/** Makes the lines of rows that have none yet. Returns the id of each. */
async function seedLines(tx: Tx, rows: SeedLine[]): Promise<Map<string, string>> {
  const lines = await tx<(SeedLine & { lineId: string })[]>`
    with wanted as (
      select distinct source, provider, resource, dimension, unit, currency, "pricingTier" as pricing_tier
      from jsonb_to_recordset(${tx.json(rows)}::jsonb) as l (source text, provider text, resource text, dimension text,
           unit text, currency text, "pricingTier" text)
    ), added as (
      insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
      select * from wanted on conflict do nothing
      returning *
    ), found as (
      select * from added
      union all
      select l.* from price_line l natural join wanted
    )
    select line_id as "lineId", source, provider, resource, dimension, unit, currency, pricing_tier as "pricingTier"
    from found`
  return new Map(lines.map((line) => [seedKey(line), line.lineId]))
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
    insert into publication (content_hash, published_at, provider, source, resource, line_id, recorded_at, dimension,
                             currency, canonical_resource, body)
    select distinct on (content_hash) content_hash, ${stamp.at}, provider, source, resource, line_id, recorded_at,
           dimension, currency, canonical_resource, replace(body, '"auto_approved"', '"approved"')
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

/** A line of acme that was called `old` and cost 2, and is called `new` and costs 3 since it was renamed. */
export async function seedRename(sql: Sql, { at, renamedAt }: { at: Instant; renamedAt: Instant }): Promise<void> {
  await seedProviders(sql, plus(at, -DAY), [{ provider: 'acme' }])
  await publish(sql, [{ provider: 'acme', resource: 'old', price: '2' }], at)
  await publishing(
    sql,
    async (tx, stamp) => {
      await publishIn(tx, stamp, [{ provider: 'acme', resource: 'new', price: '3' }])
      await renameIn(tx, stamp, 'acme', 'old', 'new')
    },
    renamedAt,
  )
}
