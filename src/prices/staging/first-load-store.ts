import type { ResourceSeen } from '../../catalog/resource-store.ts'
import { keepSnapshots } from '../../catalog/snapshot-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { LineIdentity } from '../schema.ts'
import { type ResourceName, WORK_MEMORY } from './compare-store.ts'
import type { PriceKind } from './listing-store.ts'

/** Returns whether a source has price lines. */
export async function hasLines(db: Db, source: string): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from price_line where source = ${source}) as found`
  return row!.found
}

type UnitOfPrice = Omit<PriceKind, 'pricingTier'>

/** Returns what the prices of a snapshot are for. */
export async function pricedUnits(db: Db, table: string): Promise<UnitOfPrice[]> {
  return db<UnitOfPrice[]>`select distinct dimension, unit, currency from ${db(table)} where price is not null`
}

/** A range that a price must not leave; JSON has no number without an end. */
export type PriceRange = UnitOfPrice & { least: number; most: number | null; neverFree: boolean }

/** Returns the resources that have a price outside of its range. */
export async function resourcesOutside(db: Db, table: string, ranges: PriceRange[]): Promise<ResourceName[]> {
  if (ranges.length === 0) return []
  return db<ResourceName[]>`
    select distinct s.provider, s.resource
    from ${db(table)} s
    join jsonb_to_recordset(${db.json(ranges)}::jsonb) as r (dimension text, unit text, currency text,
         least double precision, most double precision, "neverFree" boolean)
      on (s.dimension, s.unit, s.currency) = (r.dimension, r.unit, r.currency)
    where s.price is not null
      and case when s.price = 0 then r."neverFree"
          else s.price::double precision < r.least or s.price::double precision > r.most end`
}

/** Lines that are published without being read, in so many batches. */
export type FirstLoad = { batches: number; lines: number }

/** What a first load reads: the new lines in their order, in batches of whole resources. */
const firstLoadOf = (table: string) => `${table}_first`

/**
 * Divides the lines of resources that the source did not have before into batches of about so many rows. All lines of a
 * resource are in one batch.
 */
export async function divideFirstLoad(
  tx: Tx,
  table: string,
  source: string,
  { rowsAtOnce, except }: { rowsAtOnce: number; except: ResourceName[] },
): Promise<FirstLoad> {
  const first = firstLoadOf(table)
  await tx`drop table if exists ${tx(first)}`
  await tx`
    create unlogged table ${tx(first)} with (autovacuum_enabled = false) as
    with fresh as (
      select provider, resource, count(*) as lines, min(rank) as rank, min(ord) as ord
      from ${tx(table)} s
      where price is not null
        and not exists (select from price_line l
                        where (l.source, l.provider, l.resource) = (${source}, s.provider, s.resource))
        and not exists (select from jsonb_to_recordset(${tx.json(except)}::jsonb) as e (provider text, resource text)
                        where (e.provider, e.resource) = (s.provider, s.resource))
      group by provider, resource
    ), divided as (
      select provider, resource,
             (coalesce(sum(lines) over (order by rank, ord rows between unbounded preceding and 1 preceding), 0)
               / ${rowsAtOnce})::integer as batch
      from fresh
    ), ordered as (
      select d.batch, s.* from ${tx(table)} s join divided d using (provider, resource)
      where s.price is not null
      order by d.batch
    )
    select o.*, nextval(pg_get_serial_sequence('price_line', 'line_id')) as line_id from ordered o`
  // The rows stand in the order of their batches.
  await tx`create index on ${tx(first)} using brin (batch) with (pages_per_range = 8)`
  await tx`analyze ${tx(first)} (batch)`
  const [row] = await tx<FirstLoad[]>`
    select coalesce(max(batch) + 1, 0)::int as batches, count(*)::int as lines from ${tx(first)}`
  return row!
}

/** Batches that follow one another, the last one included. */
export type Batches = { from: number; to: number }

/** Returns the resources of a batch with the facts of their last lines, in their order. */
export async function resourcesOfBatch(db: Db, table: string, batch: number): Promise<ResourceSeen[]> {
  type Row = { provider: string; resource: string; canonicalResource: string | null; category: string | null }
  const rows = await db<Row[]>`
    select provider, resource, (array_agg(canonical_resource order by rank desc, ord desc))[1] as "canonicalResource",
           (array_agg(category order by rank desc, ord desc))[1] as category
    from ${db(firstLoadOf(table))} where batch = ${batch}
    group by provider, resource order by min(rank), min(ord)`
  return rows.map(({ canonicalResource, category, ...named }) => ({
    ...named,
    canonicalResource: canonicalResource ?? undefined,
    category: category ?? undefined,
  }))
}

type FirstRows = {
  source: string
  batches: Batches
  at: Instant
  /** The number of the first status. */
  seq: number
  snapshotHash: string
  parserVersion: number
}

/** Publishes batches: their lines, rows, statuses and periods. Returns how many rows. */
export async function publishBatches(tx: Tx, table: string, given: FirstRows): Promise<number> {
  const { source, batches, at, seq, snapshotHash, parserVersion } = given
  await tx`select set_config('work_mem', ${WORK_MEMORY}, true)`
  await keepSnapshots(tx, [snapshotHash])
  // Rows in the order of their hashes fill one page of an index after another: half the time of any other order.
  const done = await tx`
    with numbered as (
      select f.*, row_number() over (order by rank, ord) as n, ${rowHash(tx, source, at)} as hash
      from ${tx(firstLoadOf(table))} f where batch between ${batches.from} and ${batches.to}
    ), named as materialized (
      select * from numbered order by hash
    ), line as (
      insert into price_line (line_id, source, provider, resource, dimension, unit, currency, pricing_tier, current_hash)
      overriding system value
      select line_id, ${source}, provider, resource, dimension, unit, currency, pricing_tier, hash from named
      order by n
    ), recorded as (
      insert into price_row (content_hash, line_id, price, recorded_at, effective_from, canonical_resource, category,
                             billing_condition, snapshot_hash, locator, parser_version)
      select hash, line_id, price, ${at}, effective_from, canonical_resource, category, billing_condition,
             ${snapshotHash}, locator, ${parserVersion}
      from named
    ), approved as (
      insert into price_status (content_hash, seq, at, status)
      select hash, ${seq} + n - 1, ${at}, 'auto_approved' from named
    )
    insert into publication (content_hash, published_at, provider, source, resource, line_id, recorded_at, dimension,
                             currency, canonical_resource, body)
    select hash, ${at}, provider, ${source}, resource, line_id, ${at}, dimension, currency, canonical_resource,
           ${rowBody(tx, source, at)}
    from named`
  return done.count
}

const text = (db: Db, column: string) => db`to_json(${db(column)})::text`
const optional = (db: Db, key: string, column: string) => db`coalesce(${`"${key}":`} || ${text(db, column)} || ',', '')`

/** Selects the content hash of a row: the SHA-256 of the same canonical JSON as `contentHash` in row-rules.ts. */
const rowHash = (db: Db, source: string, at: Instant) => db`encode(sha256(convert_to(
  '{' || ${optional(db, 'billingCondition', 'billing_condition')}
      || ${optional(db, 'canonicalResource', 'canonical_resource')}
      || ${optional(db, 'category', 'category')}
      || '"currency":' || ${text(db, 'currency')}
      || ',"dimension":' || ${text(db, 'dimension')} || ','
      || ${optional(db, 'effectiveFrom', 'effective_from')}
      || '"price":"' || price || '","pricingTier":' || ${text(db, 'pricing_tier')}
      || ',"provider":' || ${text(db, 'provider')}
      || ${`,"recordedAt":${JSON.stringify(at)},"resource":`}::text || ${text(db, 'resource')}
      || ${`,"source":${JSON.stringify(source)},"unit":`}::text || ${text(db, 'unit')} || '}', 'UTF8')), 'hex')`

/** Selects the text that a row is served as: the same as `publicationBody` in history-rules.ts. */
const rowBody = (db: Db, source: string, at: Instant) => db`
  '{"provider":' || ${text(db, 'provider')} || ${`,"source":${JSON.stringify(source)},"resource":`}::text
    || ${text(db, 'resource')} || ',"dimension":' || ${text(db, 'dimension')} || ',"unit":' || ${text(db, 'unit')}
    || ',"currency":' || ${text(db, 'currency')} || ',"pricingTier":' || pricing_tier || ',"price":"' || price
    || ${`","recordedAt":${JSON.stringify(at)},"contentHash":"`}::text || hash
    || '","approvalStatus":"auto_approved"}'`

type FirstRow = LineIdentity & { contentHash: string; price: string; canonicalResource?: string }

/** Returns the rows that a batch published, in their order. */
export async function rowsOfBatch(db: Db, table: string, batch: number): Promise<FirstRow[]> {
  const rows = await db<(Omit<FirstRow, 'canonicalResource'> & { canonicalResource: string | null })[]>`
    select f.provider, f.resource, f.dimension, f.unit, f.currency, f.pricing_tier as "pricingTier", f.price,
           f.canonical_resource as "canonicalResource", l.current_hash as "contentHash"
    from ${db(firstLoadOf(table))} f join price_line l using (line_id)
    where f.batch = ${batch}
    order by f.rank, f.ord`
  return rows.map(({ canonicalResource, ...row }) => ({ ...row, canonicalResource: canonicalResource ?? undefined }))
}

/** Returns the resources that differ and are in no batch of the first load. */
export async function resourcesBesideFirstLoad(
  tx: Tx,
  table: string,
  differing: ResourceName[],
): Promise<ResourceName[]> {
  return tx<ResourceName[]>`
    select d.provider, d.resource
    from jsonb_to_recordset(${tx.json(differing)}::jsonb) as d (provider text, resource text)
    where not exists (select from ${tx(firstLoadOf(table))} f where (f.provider, f.resource) = (d.provider, d.resource))`
}
