import { RANKS } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { rankOf } from '../authority/order-store.ts'
import type { Group, Lag } from './schema.ts'

/** Nothing that a source shows in its first day is a change. */
const FIRST_HOURS = 24

const sameLine = (db: Db, other: string) => db`
  (${db(other)}.provider, ${db(other)}.resource, ${db(other)}.dimension, ${db(other)}.unit, ${db(other)}.currency,
   ${db(other)}.pricing_tier) = (n.provider, n.resource, n.dimension, n.unit, n.currency, n.pricing_tier)`

export type Lags = { total: Lag; groups: (Pick<Group, 'provider' | 'rank'> & Lag)[] }

/**
 * Returns how many hours changes took that were published after one instant and until another: from when the price was first
 * seen, by its own source, a witness or another source, or from when the price before it was published if that was later.
 * A price that readers saw before, from another source, is not a change.
 */
export async function publicationLags(db: Db, after: Instant, until: Instant): Promise<Lags> {
  type Row = Lag & { provider: string | null; rank: number | null }
  const rows = await db<Row[]>`
    with began as materialized (
      select source, min(published_at) + make_interval(hours => ${FIRST_HOURS}) as at from publication group by source
    ), published as materialized (
      select l.*, r.price, r.recorded_at, p.published_at, ${rankOf(db, 's', db`l.provider`)} as rank
      from publication p
      join price_line l on l.line_id = p.line_id and l.current_hash = p.content_hash and l.removed_at is null
      join price_row r on r.content_hash = p.content_hash
      join source s on s.source = l.source
      join began on began.source = l.source and p.published_at >= began.at
      where p.published_at > ${after} and p.published_at <= ${until} and p.unpublished_at is null
    ), change as (
      select n.provider, n.rank,
             extract(epoch from n.published_at - greatest(before.published_at, least(
               n.recorded_at,
               (select min(w.shown_since) from witness_price w where ${sameLine(db, 'w')} and w.price = n.price),
               (select min(o.recorded_at) from price_line ol join price_row o on o.line_id = ol.line_id
                where ${sameLine(db, 'ol')} and ol.line_id <> n.line_id and o.price = n.price
                  and (o.content_hash = ol.held_hash or o.content_hash = ol.current_hash and ol.removed_at is null))
             ))) / 3600 as hours
      from published n
      left join lateral (
        select b.published_at, br.price
        from price_line bl join publication b on b.line_id = bl.line_id join price_row br on br.content_hash = b.content_hash
        where ${sameLine(db, 'bl')} and b.published_at < n.published_at
          and (b.unpublished_at is null or b.unpublished_at >= n.published_at)
        order by br.recorded_at desc limit 1
      ) before on true
      where before.price is distinct from n.price
    )
    select provider, rank, count(*)::int as published,
           percentile_cont(0.5) within group (order by greatest(hours, 0)) as "hoursMedian",
           percentile_cont(0.9) within group (order by greatest(hours, 0)) as "hoursP90"
    from change group by grouping sets ((provider, rank), ())`
  const groups = rows.flatMap(({ provider, rank, ...lag }) =>
    provider === null || rank === null ? [] : [{ provider, rank: RANKS[rank]!, ...lag }],
  )
  const { published, hoursMedian, hoursP90 } = rows.find(({ provider }) => provider === null)!
  return { total: { published, hoursMedian, hoursP90 }, groups }
}
