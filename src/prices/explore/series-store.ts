import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'

/** A resource as its provider names it. */
export type ResourceName = { provider: string; resource: string }

/** A row of a resource's history, with the evidence for it. */
export type SeriesRow = ResourceName & {
  /** The name that the resource is listed under at the instant. */
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
}

/** More rows of one request than anybody reads. */
const MAX_ROWS = 20_000

/**
 * Returns every row of some resources that was ever served until an instant, also under their former names, the oldest
 * first. Of too many the newest of each price line are kept.
 */
export async function seriesRows(
  sql: Sql,
  asOf: Instant,
  names: ResourceName[],
  most = MAX_ROWS,
): Promise<{ rows: SeriesRow[]; leftOut: number }> {
  const found = await sql<(SeriesRow & { total: number })[]>`
    with recursive name as (
      select provider, resource, resource as listed
      from unnest(${names.map(({ provider }) => provider)}::text[], ${names.map(({ resource }) => resource)}::text[])
        as wanted (provider, resource)
      union
      select n.provider, r.old_resource, n.listed
      from name n join resource_rename r on (r.provider, r.new_resource) = (n.provider, n.resource)
      where r.at <= ${asOf} and (r.ended_at is null or r.ended_at > ${asOf})
    ),
    kept as (
      select n.listed, p.provider, p.resource, p.source, p.line_id, p.body, p.recorded_at, p.content_hash,
             p.published_at, p.unpublished_at, count(*) over ()::integer as total,
             row_number() over (partition by p.line_id order by p.recorded_at desc, p.content_hash desc) as age
      from name n
      join publication p on (p.provider, p.resource) = (n.provider, n.resource) and p.published_at <= ${asOf}
      order by age, p.recorded_at desc, p.content_hash limit ${most}
    )
    select p.total, p.listed, p.provider, p.resource, p.source, l.dimension, l.unit, l.currency,
           l.pricing_tier::jsonb as tier,
           p.body::jsonb ->> 'price' as price, p.recorded_at as "recordedAt", p.content_hash as "contentHash",
           p.published_at as "publishedAt",
           case when p.unpublished_at <= ${asOf} then p.unpublished_at end as "unpublishedAt",
           coalesce(s.status, p.body::jsonb ->> 'approvalStatus') as status, s.reason,
           r.effective_from as "effectiveFrom", r.snapshot_hash as "snapshotHash", r.locator
    from kept p
    join price_line l using (line_id)
    left join price_row r on r.content_hash = p.content_hash
    left join lateral (
      select status, reason from price_status s
      where s.content_hash = p.content_hash and s.at <= ${asOf} order by s.seq desc limit 1
    ) s on true
    order by p.recorded_at, p.content_hash`
  const leftOut = (found[0]?.total ?? 0) - found.length
  return { rows: found.map(({ total: _, ...row }) => row), leftOut }
}

export type Renaming = { provider: string; from: string; to: string; at: Instant }

/** Returns the renamings that led to these names until an instant. */
export const renamingsTo = async (sql: Sql, asOf: Instant, names: ResourceName[]): Promise<Renaming[]> => [
  ...(await sql<Renaming[]>`
    with recursive chain as (
      select r.provider, r.old_resource as "from", r.new_resource as "to", r.at
      from resource_rename r
      join unnest(${names.map(({ provider }) => provider)}::text[], ${names.map(({ resource }) => resource)}::text[])
        as wanted (provider, resource) on (r.provider, r.new_resource) = (wanted.provider, wanted.resource)
      where r.at <= ${asOf} and (r.ended_at is null or r.ended_at > ${asOf})
      union
      select r.provider, r.old_resource, r.new_resource, r.at
      from chain c join resource_rename r on (r.provider, r.new_resource) = (c.provider, c."from")
      where r.at <= ${asOf} and (r.ended_at is null or r.ended_at > ${asOf})
    )
    select distinct provider, "from", "to", at from chain order by at`),
]
