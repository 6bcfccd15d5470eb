import { joinKey } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import { type Db, unprepared } from '../../lib/sql.ts'
import type { ListedCounts } from '../plan/difference/listing-rules.ts'
import type { ListedPrice } from '../plan/evidence/evidence-schema.ts'
import type { NamedResource } from '../plan/renames/rename-rules.ts'

/** Counts the resources with a published price of these providers: all of them, and by dimension. */
export async function listedCounts(db: Db, source: string, providers: string[]): Promise<ListedCounts> {
  const counts: ListedCounts = { resources: new Map(), withDimension: new Map() }
  if (providers.length === 0) return counts
  const rows = await db<{ provider: string; dimension: string | null; count: number }[]>`
    with listed as (
      select distinct provider, dimension, resource from price_line
      where source = ${source} and provider = any(${providers}::text[]) and current_hash is not null
        and removed_at is null
    )
    select provider, dimension, count(*)::int as count from listed group by provider, dimension
    union all
    select provider, null, count(distinct resource)::int from listed group by provider`
  for (const { provider, dimension, count } of rows)
    if (dimension === null) counts.resources.set(provider, count)
    else counts.withDimension.set(joinKey(provider, dimension), count)
  return counts
}

/** Returns the resources of these providers that a snapshot lists, in its order, each with a hash of its prices. */
export async function seenResources(
  db: Db,
  table: string,
  source: string,
  providers: string[],
): Promise<NamedResource[]> {
  if (providers.length === 0) return []
  const rows = await unprepared(db)<{ provider: string; resource: string; prices: string; since: Instant | null }[]>`
    with since as (
      select l.provider, l.resource, min(c.recorded_at) as since
      from price_line l join price_row c on c.content_hash = l.current_hash
      where l.source = ${source} and l.provider = any(${providers}::text[]) and l.removed_at is null
      group by l.provider, l.resource
    ), seen as (
      select provider, resource, encode(sha256(convert_to(string_agg(line, e'\n' order by line collate "C"), 'UTF8')), 'hex')
               as prices,
             min(rank) as rank, min(ord) as ord
      from (
        select *, concat_ws(e'\x1f', dimension, unit, currency, pricing_tier) || '=' || price as line
        from ${db(table)} where price is not null and provider = any(${providers}::text[])
      ) lines
      group by provider, resource
    )
    select provider, resource, prices, since from seen left join since using (provider, resource) order by rank, ord`
  return rows.map(({ since, ...row }) => ({ ...row, since: since ?? undefined }))
}

/** Which published prices speak for or against others: of the same dimension and tier. */
export type PriceKind = { dimension: string; unit: string; currency: string; pricingTier: string }

/** Returns the published prices of a source of these kinds that `isWanted`, one part of them at a time in memory. */
export async function listedPrices(
  db: Db,
  source: string,
  kinds: PriceKind[],
  isWanted: (price: ListedPrice) => boolean,
): Promise<ListedPrice[]> {
  if (kinds.length === 0) return []
  const found: ListedPrice[] = []
  const rows = db<(Omit<ListedPrice, 'canonicalResource'> & { canonicalResource: string | null })[]>`
    select l.provider, l.resource, c.canonical_resource as "canonicalResource", l.dimension, l.unit, l.currency,
           l.pricing_tier as "pricingTier", c.price
    from price_line l join price_row c on c.content_hash = l.current_hash
    where l.source = ${source} and l.removed_at is null
      and (l.dimension, l.unit, l.currency, l.pricing_tier) in (
        select dimension, unit, currency, "pricingTier" from jsonb_to_recordset(${db.json(kinds)}::jsonb)
          as k (dimension text, unit text, currency text, "pricingTier" text))`
  for await (const part of rows.cursor(ROWS_AT_ONCE))
    for (const { canonicalResource, ...row } of part) {
      const price = { ...row, canonicalResource: canonicalResource ?? undefined }
      if (isWanted(price)) found.push(price)
    }
  return found
}

const ROWS_AT_ONCE = 5_000
