import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** Returns the earlier prices of lines whose current row was recorded after `since`, by line id. */
export async function recentPrices(db: Db, lineIds: string[], since: Instant): Promise<Map<string, string[]>> {
  if (lineIds.length === 0) return new Map()
  const rows = await db<{ lineId: string; prices: string[] }[]>`
    select l.line_id as "lineId", array_agg(o.price::text order by o.recorded_at desc) as prices
    from price_line l
    join price_row c on c.content_hash = l.current_hash
    join price_row o on o.line_id = l.line_id and o.recorded_at < c.recorded_at
    join publication p on p.content_hash = o.content_hash and p.unpublished_at is null
    where l.line_id = any(${lineIds}::bigint[]) and c.recorded_at > ${since}
    group by l.line_id`
  return new Map(rows.map((row) => [row.lineId, row.prices]))
}

export type Claim = {
  key: string
  provider: string
  resource: string
  canonicalResource?: string
  dimension: string
  unit: string
  pricingTier: string
  price: string
}

/**
 * Returns the keys of the claims that a source of independent origin publishes too. Sources of one family copy one
 * another and count as one: `family` lists the formats of this source's family.
 */
export async function corroborated(db: Db, source: string, family: string[], claims: Claim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const rows = await db<{ key: string }[]>`
    select distinct c.key
    from jsonb_to_recordset(${db.json(claims)}::jsonb) as c (key text, provider text, resource text,
         "canonicalResource" text, dimension text, unit text, "pricingTier" text, price text)
    join price_line l on l.provider = c.provider and l.source <> ${source}
      and l.dimension = c.dimension and l.unit = c.unit and l.pricing_tier = c."pricingTier"
    join source s on s.source = l.source and s.format <> all(${family}::text[])
    join price_row r on r.content_hash = l.current_hash
    where l.removed_at is null and r.price = c.price::numeric
      and (l.resource = c.resource or r.canonical_resource = c."canonicalResource")`
  return new Set(rows.map((row) => row.key))
}
