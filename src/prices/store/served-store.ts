import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { PublishedPrice } from '../plan/evidence/learn-limits-rules.ts'
import type { LineIdentity } from '../schema.ts'

type ServedLine = LineIdentity & {
  price: string
  recordedAt: Instant
  from: Instant | null
  to: Instant | null
  heldFor: string[] | null
}

/** Returns every period in which a row of a source was served, and the rows that were only held; each with the reasons. */
export const servedPeriods = (db: Db, source: string): Promise<ServedLine[]> =>
  db<ServedLine[]>`
    select l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier", r.price,
           r.recorded_at as "recordedAt", p.published_at as "from", p.unpublished_at as "to", w.reasons as "heldFor"
    from price_line l
    join price_row r using (line_id)
    left join publication p on p.content_hash = r.content_hash
    left join review_row w on w.content_hash = r.content_hash
    where l.source = ${source}`.then((rows) => [...rows])

type RemovedLine = LineIdentity & { at: Instant }

/** Returns the lines of a source that were removed, each with the instant, once per removal. */
export const removedLines = (db: Db, source: string): Promise<RemovedLine[]> =>
  db<RemovedLine[]>`
    select distinct l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier", s.at
    from price_line l
    join price_row r using (line_id)
    join price_status s on s.content_hash = r.content_hash and s.status = 'removed'
    where l.source = ${source}`.then((rows) => [...rows])

/** Returns how many lines of a source are held, by reason; a line with two reasons counts under both. */
export async function heldByReason(db: Db, source: string): Promise<Record<string, number>> {
  const rows = await db<{ reason: string; count: number }[]>`
    select reason, count(*)::int as count
    from price_line l
    join review_row w on w.content_hash = l.held_hash
    cross join lateral unnest(w.reasons) as reason
    where l.source = ${source}
    group by reason`
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]))
}

/**
 * Returns the distinct prices in US dollars that were ever published, with the input price beside each. A price that was
 * withdrawn, or corrected as implausible, was none.
 */
export const publishedPrices = (db: Db): Promise<PublishedPrice[]> =>
  db<(Omit<PublishedPrice, 'input'> & { input: number | null })[]>`
    with published as materialized (
      select l.line_id, l.source, l.provider, l.resource, l.dimension, l.unit, r.price, min(p.published_at) as at,
             (l.pricing_tier::jsonb - 'ttl')::text as input_tier
      from price_line l
      join price_row r using (line_id)
      join publication p on p.content_hash = r.content_hash
      where l.currency = 'USD'
        and not exists (select from price_status s where s.content_hash = r.content_hash and s.status = 'withdrawn')
      group by l.line_id, r.price
    ), corrected as materialized (
      select r.line_id, split_part(split_part(s.reason, ',', 1), ' ', 2) as price
      from price_status s join price_row r using (content_hash)
      where s.reason like 'corrects %'
    )
    select distinct on (p.line_id, p.price) p.provider, p.dimension, substring(p.unit from '_per_(.*)$') as unit,
           p.price::float8 as price, i.price::float8 as input
    from published p
    left join published i
      on (i.source, i.provider, i.resource, i.unit, i.input_tier) = (p.source, p.provider, p.resource, p.unit, p.input_tier)
     and i.dimension = 'input_tokens' and i.at <= p.at
    where not exists (select from corrected c where (c.line_id, c.price) = (p.line_id, p.price::text))
    order by p.line_id, p.price, i.at desc`.then((rows) =>
    rows.map(({ input, ...price }) => ({ ...price, input: input ?? undefined })),
  )
