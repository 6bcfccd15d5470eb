import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { isDecided } from '../contradicted/contradicted-store.ts'

/** A resource as its provider names it. */
export type ResourceName = { provider: string; resource: string }

/** A row of a resource's history, with the evidence for it. */
export type SeriesRow = ResourceName & {
  /** The name that its source lists the resource under at the instant, as far as it is among those asked for. */
  listed: string
  source: string
  dimension: string
  unit: string
  currency: string
  tier: Record<string, string>
  price: string
  recordedAt: Instant
  contentHash: string
  publishedAt: Instant
  unpublishedAt: Instant | null
  status: string
  reason: string | null
  effectiveFrom: string | null
  snapshotHash: string | null
  locator: string | null
  /** What other sources show instead of the current price, and since when; whether a person decided that it stays. */
  contradicted: { price: string; sources: string[]; since: Instant; isDecided: boolean } | null
}

/** More rows of one request than anyone reads. */
const MAX_ROWS = 20_000

/**
 * Returns every row of some resources that was ever served until an instant, each once, also under their former names,
 * the oldest first. Of too many the newest of each price line are kept.
 */
export async function seriesRows(
  sql: Sql,
  asOf: Instant,
  names: ResourceName[],
  most = MAX_ROWS,
): Promise<{ rows: SeriesRow[]; leftOut: number }> {
  const found = await sql<(SeriesRow & { total: number })[]>`
    with recursive wanted as (${wantedNames(sql, names)}),
    rename as (${renamesInForce(sql, asOf)}),
    continued as (
      select r.source, r.provider, r.old_resource as resource, w.resource as listed, 1 as steps
      from wanted w join rename r on (r.provider, r.new_resource) = (w.provider, w.resource)
      union all
      select c.source, c.provider, r.old_resource, c.listed, c.steps + 1
      from continued c
      join rename r on (r.source, r.provider, r.new_resource) = (c.source, c.provider, c.resource)
      where r.old_resource <> c.listed and c.steps < 100
    ),
    -- A source may list several of the wanted names one after the other: the last one stands for all.
    former as (
      select distinct on (source, provider, resource) source, provider, resource, listed
      from continued order by source, provider, resource, steps desc
    ),
    name as (select provider, resource from wanted union select provider, resource from former),
    kept as (
      select coalesce(f.listed, p.resource) as listed, p.provider, p.resource, p.source, p.line_id, p.body, p.recorded_at, p.content_hash,
             p.published_at, p.unpublished_at, count(*) over ()::integer as total,
             row_number() over (partition by p.line_id order by p.recorded_at desc, p.content_hash desc) as age
      from name n
      join publication p on (p.provider, p.resource) = (n.provider, n.resource) and p.published_at <= ${asOf}
      left join former f on (f.source, f.provider, f.resource) = (p.source, p.provider, p.resource)
      where f.listed is not null or exists (
        select from wanted w where (w.provider, w.resource) = (p.provider, p.resource))
      order by age, p.recorded_at desc, p.content_hash limit ${most}
    )
    select p.total, p.listed, p.provider, p.resource, p.source, l.dimension, l.unit, l.currency,
           l.pricing_tier::jsonb as tier,
           p.body::jsonb ->> 'price' as price, p.recorded_at as "recordedAt", p.content_hash as "contentHash",
           p.published_at as "publishedAt",
           case when p.unpublished_at <= ${asOf} then p.unpublished_at end as "unpublishedAt",
           coalesce(s.status, p.body::jsonb ->> 'approvalStatus') as status, s.reason,
           r.effective_from as "effectiveFrom", r.snapshot_hash as "snapshotHash", r.locator,
           case when o.since <= ${asOf} and p.unpublished_at is null and o.price = r.price then
             json_build_object('price', o.other_price::text, 'sources', o.sources, 'isDecided', ${isDecided(sql)}, 'since',
               to_char(o.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as contradicted
    from kept p
    join price_line l using (line_id)
    left join price_row r on r.content_hash = p.content_hash
    left join contradicted_line o on o.line_id = p.line_id and l.current_hash = p.content_hash and l.removed_at is null
    left join lateral (
      select status, reason from price_status s
      where s.content_hash = p.content_hash and s.at <= ${asOf} order by s.seq desc limit 1
    ) s on true
    order by p.recorded_at, p.content_hash`
  const leftOut = (found[0]?.total ?? 0) - found.length
  return { rows: found.map(({ total: _, ...row }) => row), leftOut }
}

export type Renaming = { provider: string; from: string; to: string; at: Instant }

/** Returns the renamings that led to these names until an instant, each once: several sources may know of one. */
export const renamingsTo = async (sql: Sql, asOf: Instant, names: ResourceName[]): Promise<Renaming[]> => [
  ...(await sql<Renaming[]>`
    with recursive wanted as (${wantedNames(sql, names)}),
    rename as (${renamesInForce(sql, asOf)}),
    chain as (
      select r.* from wanted w join rename r on (r.provider, r.new_resource) = (w.provider, w.resource)
      union
      select r.*
      from chain c
      join rename r on (r.source, r.provider, r.new_resource) = (c.source, c.provider, c.old_resource)
    )
    select provider, old_resource as "from", new_resource as "to", min(at) as at
    from chain group by 1, 2, 3 order by 4, 1, 2`),
]

const wantedNames = (sql: Sql, names: ResourceName[]) => sql`
  select distinct provider, resource
  from unnest(${names.map(({ provider }) => provider)}::text[], ${names.map(({ resource }) => resource)}::text[])
    as given (provider, resource)`

/** Selects the renamings in force at an instant: of several of one name in one source, the newest. */
const renamesInForce = (sql: Sql, asOf: Instant) => sql`
  select distinct on (source, provider, old_resource) source, provider, old_resource, new_resource, at
  from resource_rename
  where at <= ${asOf} and (ended_at is null or ended_at > ${asOf}) and provider in (select provider from wanted)
  order by source, provider, old_resource, at desc`
