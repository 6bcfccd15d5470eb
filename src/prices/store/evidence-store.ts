import { groupBy } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { OtherPrice, RecentPrices } from '../plan/schema.ts'
import type { Claim } from './witness-store.ts'

/**
 * Returns the earlier prices of lines whose current row was recorded after `since`, by line id: the one in force at
 * `since` and those after it. A line without an earlier row has none.
 */
export async function recentPrices(db: Db, lineIds: string[], since: Instant): Promise<Map<string, RecentPrices>> {
  if (lineIds.length === 0) return new Map()
  const rows = await db<{ lineId: string; prices: string[] }[]>`
    select l.line_id as "lineId",
           array(with earlier as (
                   select o.price, o.recorded_at from price_row o
                   join publication p on p.content_hash = o.content_hash and p.unpublished_at is null
                   where o.line_id = l.line_id and o.recorded_at < c.recorded_at
                 )
                 select price::text from earlier
                 where recorded_at >= coalesce((select max(recorded_at) from earlier where recorded_at <= ${since}), '-infinity')
                 order by recorded_at desc) as prices
    from price_line l
    join price_row c on c.content_hash = l.current_hash
    where l.line_id = any(${lineIds}::bigint[]) and c.recorded_at > ${since}`
  return new Map(rows.map(({ lineId, prices }) => [lineId, { prices, isFirst: prices.length === 0 }]))
}

/** Returns the prices of the same lines of the same models in other sources, by the claim's key. Witnesses that are off say nothing. */
export async function otherPrices(db: Db, source: string, claims: Claim[]): Promise<Map<string, OtherPrice[]>> {
  if (claims.length === 0) return new Map()
  const rows = await db<(OtherPrice & { key: string })[]>`
    with claim as (
      select * from jsonb_to_recordset(${db.json(claims)}::jsonb) as c (key text, resource text,
        "canonicalResource" text, dimension text, unit text, "pricingTier" text)
    ), other as (
      select l.provider, l.resource, r.canonical_resource, l.dimension, l.unit, l.pricing_tier, r.price
      from price_line l join price_row r on r.content_hash = l.current_hash
      where l.source <> ${source} and l.removed_at is null
      union all
      select w.provider, w.resource, w.canonical_resource, w.dimension, w.unit, w.pricing_tier, w.price
      from witness_price w join source s using (source)
      where s.declared and w.source <> ${source}
    )
    select c.key, o.provider, o.price from claim c join other o
      on (o.resource, o.dimension, o.unit, o.pricing_tier) = (c.resource, c.dimension, c.unit, c."pricingTier")
    union
    select c.key, o.provider, o.price from claim c join other o
      on (o.canonical_resource, o.dimension, o.unit, o.pricing_tier)
         = (c."canonicalResource", c.dimension, c.unit, c."pricingTier")`
  return groupBy(rows, ({ key }) => key)
}
