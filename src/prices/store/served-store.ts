import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { LineIdentity } from '../schema.ts'

type ServedLine = LineIdentity & {
  price: string
  recordedAt: Instant
  from: Instant
  to: Instant | null
  heldFor: string[] | null
}

/** Returns every period in which a row of a source was served, with the reasons for which it was held before. */
export const servedPeriods = (db: Db, source: string): Promise<ServedLine[]> =>
  db<ServedLine[]>`
    select l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier", r.price,
           r.recorded_at as "recordedAt", p.published_at as "from", p.unpublished_at as "to", w.reasons as "heldFor"
    from price_line l
    join price_row r using (line_id)
    join publication p on p.content_hash = r.content_hash
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
