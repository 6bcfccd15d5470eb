import { RANKS, type Rank } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { rankOf } from '../authority/order-store.ts'
import type { ContradictedPrice, FactsGroup, ServedFacts } from './schema.ts'

/** Selects the name of a rank. */
const rankName = (db: Db, source: string) => db`(${[...RANKS]}::text[])[${rankOf(db, source, db`l.provider`)} + 1]`

/** Selects what is known at an instant of each served price. */
const servedFacts = (db: Db, now: Instant) => db`
  select l.line_id, l.provider, ${rankName(db, 's')} as rank, coalesce(c.said, true) as said,
         coalesce(f.at > ${now}::timestamptz - make_interval(secs => f.stale_after_seconds), false) as fresh,
         coalesce(c.by_provider, false) as "byProvider", coalesce(c.independent, false) as independent,
         coalesce(c.independent_of_own, false) as "independentOfOwn", c.contradicted_since is not null as contradicted,
         coalesce(c.disagree <> '' and exists (
           select from jsonb_array_elements(('[' || c.disagree || ']')::jsonb) d
           where d ->> 'rank' = 'provider' and coalesce(d ->> 'price', d ->> 'held') is not null), false) as "providerDiffers",
         floor(extract(epoch from ${now}::timestamptz - case
           when coalesce(c.said, true) then greatest(f.at, r.recorded_at) else c.confirmed_at end) / 3600)::int as hours,
         c.contradicted_since as since, c.disagree
  from price_line l
  join source s on s.source = l.source
  join price_row r on r.content_hash = l.current_hash
  left join last_read f on f.source = l.source
  left join row_confirmation c on c.content_hash = l.current_hash and c.until is null and not c.superseded
  where l.current_hash is not null and l.removed_at is null`

/** Selects when each source was last read well. */
const lastRead = (db: Db, now: Instant) => db`
  last_read as materialized (
    select s.source, f.at, f.stale_after_seconds from source s cross join lateral (
      select at, stale_after_seconds from good_fetch f where f.source = s.source and f.at <= ${now}
      order by f.at desc limit 1) f)`

/** Counts served prices by provider and by what is known of them. */
export const factsOfServed = (db: Db, now: Instant): Promise<FactsGroup[]> => db<FactsGroup[]>`
  with ${lastRead(db, now)}
  select provider, rank, said, fresh, "byProvider", independent, "independentOfOwn", contradicted, "providerDiffers", hours,
         count(*)::int as count
  from (${servedFacts(db, now)}) f
  group by provider, rank, said, fresh, "byProvider", independent, "independentOfOwn", contradicted, "providerDiffers", hours`

type DisputedPrice = Omit<ContradictedPrice, 'since' | 'others'> &
  ServedFacts & { since: Instant | null; disagree: string }
type Other = { source: string; rank: Rank; price?: string }

/** Returns the served prices of which some source has another one, those contradicted longest first. */
export async function disputedPrices(
  db: Db,
  now: Instant,
  provider: string,
): Promise<(ContradictedPrice & ServedFacts)[]> {
  const rows = await db<DisputedPrice[]>`
    with ${lastRead(db, now)}
    select f.*, l.source, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier",
           l.current_hash as "contentHash", r.price::text as price
    from (${servedFacts(db, now)}) f
    join price_line l using (line_id)
    join price_row r on r.content_hash = l.current_hash
    where f.provider = ${provider} and (f.since is not null or f.disagree <> '')
    order by f.since, l.resource, l.line_id`
  return rows.map(({ since, disagree, ...row }) => ({
    ...row,
    ...(since && { since }),
    others: (JSON.parse(`[${disagree}]`) as Other[]).flatMap(({ price, ...other }) =>
      price === undefined ? [] : [{ ...other, price }],
    ),
  }))
}
