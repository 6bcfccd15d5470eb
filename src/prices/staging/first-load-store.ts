import type { SeenResource } from '../../catalog/resource-store.ts'
import { keepSnapshots } from '../../catalog/snapshots/snapshot-store.ts'
import type { Instant } from '../../lib/instant.ts'
import { type Db, type Sql, type Tx, unprepared } from '../../lib/sql.ts'
import { lineContent, type ResourceName, WORK_MEMORY } from './compare-store.ts'
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
  return unprepared(db)<
    UnitOfPrice[]
  >`select distinct dimension, unit, currency from ${db(table)} where price is not null`
}

/** A range that a price must not leave; JSON has no number without an end. */
export type PriceRange = UnitOfPrice & { least: number; most: number | null; neverFree: boolean }

/** Returns the resources that have a price outside of its range. */
export async function resourcesOutside(db: Db, table: string, ranges: PriceRange[]): Promise<ResourceName[]> {
  if (ranges.length === 0) return []
  return unprepared(db)<ResourceName[]>`
    select distinct s.provider, s.resource
    from ${db(table)} s
    join jsonb_to_recordset(${db.json(ranges)}::jsonb) as r (dimension text, unit text, currency text,
         least double precision, most double precision, "neverFree" boolean)
      on (s.dimension, s.unit, s.currency) = (r.dimension, r.unit, r.currency)
    where s.price is not null
      and case when s.price = 0 then r."neverFree"
          else s.price::double precision < r.least or s.price::double precision > r.most end`
}

/** Lines that are published without being read, in this many batches. */
export type FirstLoad = { batches: number; lines: number }

/** What a first load reads: the new lines in their order, in batches of whole resources. */
export const firstLoadOf = (table: string) => `${table}_first`
const orderOf = (table: string) => `${table}_order`

/** Creates the table for a first load of a staged snapshot, outside of any transaction, as copyIntoStaging does. */
export async function createFirstLoad(sql: Sql, table: string): Promise<void> {
  const first = sql(firstLoadOf(table))
  await unprepared(sql)`drop table if exists ${first}`
  await unprepared(sql)`
    create unlogged table ${first} (batch integer, place bigint, like ${sql(table)}, line_id bigint)
    with (autovacuum_enabled = false)`
  // The rows stand in the order of their batches and places.
  await unprepared(
    sql,
  )`create index ${sql(orderOf(table))} on ${first} using brin (batch, place) with (pages_per_range = 8)`
}

/**
 * Divides the lines of resources that the source did not have before into batches of about this many rows. All lines of a
 * resource are in one batch, and at one place: how many lines stand before them.
 */
export async function divideFirstLoad(
  tx: Tx,
  table: string,
  source: string,
  { rowsAtOnce, except }: { rowsAtOnce: number; except: ResourceName[] },
): Promise<FirstLoad> {
  const first = firstLoadOf(table)
  await unprepared(tx)`
    insert into ${tx(first)}
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
             coalesce(sum(lines) over (order by rank, ord rows between unbounded preceding and 1 preceding), 0)::bigint
               as place
      from fresh
    ), ordered as (
      select (d.place / ${rowsAtOnce})::integer as batch, d.place, s.*
      from ${tx(table)} s join divided d using (provider, resource)
      where s.price is not null
      order by d.place
    )
    select o.*, nextval(pg_get_serial_sequence('price_line', 'line_id')) as line_id from ordered o`
  await tx`select brin_summarize_new_values(${orderOf(table)}::regclass)`
  await unprepared(tx)`analyze ${tx(first)} (batch, place)`
  const [row] = await unprepared(tx)<FirstLoad[]>`
    select coalesce(max(batch) + 1, 0)::int as batches, count(*)::int as lines from ${tx(first)}`
  return row!
}

/** Batches that follow one another, the last one included. */
export type Batches = { from: number; to: number }

/** A resource of a first load, with the facts of its last line. */
export type FirstResource = SeenResource & { lines: number }

/** Returns the resources of a batch, in their order. */
export async function resourcesOfBatch(db: Db, table: string, batch: number): Promise<FirstResource[]> {
  type Row = Omit<FirstResource, 'canonicalResource' | 'category'> & {
    canonicalResource: string | null
    category: string | null
  }
  const rows = await unprepared(db)<Row[]>`
    select distinct on (place) provider, resource, category,
           max(canonical_resource) over (partition by place) as "canonicalResource",
           (count(*) over (partition by place))::int as lines
    from ${db(firstLoadOf(table))} where batch = ${batch}
    order by place, rank desc, ord desc`
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
  const done = await unprepared(tx)`
    with numbered as (
      select f.*, row_number() over (order by line_id) as n, ${lineContent(tx)} as content, ${rowHash(tx, source, at)} as hash
      from ${tx(firstLoadOf(table))} f where batch between ${batches.from} and ${batches.to}
    ), named as materialized (
      select * from numbered order by hash
    ), line as (
      insert into price_line (line_id, source, provider, resource, dimension, unit, currency, pricing_tier, current_hash,
                              content)
      overriding system value
      select line_id, ${source}, provider, resource, dimension, unit, currency, pricing_tier, hash, content from named
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

/** Selects a text as JSON. */
export const jsonText = (db: Db, column: string) => db`to_json(${db(column)})::text`
const optional = (db: Db, key: string, column: string) =>
  db`coalesce(${`"${key}":`} || ${jsonText(db, column)} || ',', '')`

/** Selects the content hash of a row: the SHA-256 of the same canonical JSON as `contentHash` in row-rules.ts. */
const rowHash = (db: Db, source: string, at: Instant) => db`encode(sha256(convert_to(
  '{' || ${optional(db, 'billingCondition', 'billing_condition')}
      || ${optional(db, 'canonicalResource', 'canonical_resource')}
      || ${optional(db, 'category', 'category')}
      || '"currency":' || ${jsonText(db, 'currency')}
      || ',"dimension":' || ${jsonText(db, 'dimension')} || ','
      || ${optional(db, 'effectiveFrom', 'effective_from')}
      || '"price":"' || price || '","pricingTier":' || ${jsonText(db, 'pricing_tier')}
      || ',"provider":' || ${jsonText(db, 'provider')}
      || ${`,"recordedAt":${JSON.stringify(at)},"resource":`}::text || ${jsonText(db, 'resource')}
      || ${`,"source":${JSON.stringify(source)},"unit":`}::text || ${jsonText(db, 'unit')} || '}', 'UTF8')), 'hex')`

/** Selects the text that a row is served as: the same as `publicationBody` in history-rules.ts. */
const rowBody = (db: Db, source: string, at: Instant) => db`
  '{"provider":' || ${jsonText(db, 'provider')} || ${`,"source":${JSON.stringify(source)},"resource":`}::text
    || ${jsonText(db, 'resource')} || ',"dimension":' || ${jsonText(db, 'dimension')} || ',"unit":' || ${jsonText(db, 'unit')}
    || ',"currency":' || ${jsonText(db, 'currency')} || ',"pricingTier":' || pricing_tier || ',"price":"' || price
    || ${`","recordedAt":${JSON.stringify(at)},"contentHash":"`}::text || hash
    || '","approvalStatus":"auto_approved"}'`

/** Returns the resources that differ and are in no batch of the first load. */
export async function resourcesBesideFirstLoad(
  tx: Tx,
  table: string,
  differing: ResourceName[],
): Promise<ResourceName[]> {
  return unprepared(tx)<ResourceName[]>`
    select d.provider, d.resource
    from jsonb_to_recordset(${tx.json(differing)}::jsonb) as d (provider text, resource text)
    where not exists (select from ${tx(firstLoadOf(table))} f where (f.provider, f.resource) = (d.provider, d.resource))`
}
