import type { PendingQuery, Row } from 'postgres'
import { RANKS } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { isRead, rankOf } from '../authority/order-store.ts'
import type { RowFacts, Statement } from './schema.ts'

const isLine = (db: Db, one: string) => db`
  (${db(one)}.provider, ${db(one)}.resource, ${db(one)}.dimension, ${db(one)}.unit, ${db(one)}.currency,
   ${db(one)}.pricing_tier) = (l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)`

/**
 * Selects what sources that were read lately show for lines of other sources: as evidence, as a price that is held, or
 * as one that is served too.
 */
const statements = (db: Db, lines: PendingQuery<Row[]>, now: Instant) => db`
  select e.line_id, e.source, s.format, ${rankOf(db, 's', db`e.provider`)} as rank, e.price, e.is_held
  from (
    select l.line_id, l.provider, w.source, w.price, false as is_held
    from ${lines} l join witness_price w on ${isLine(db, 'w')} where w.source <> l.source
    union all
    select l.line_id, l.provider, o.source, r.price, o.held_hash is not null
    from ${lines} l join price_line o on ${isLine(db, 'o')}
    join price_row r on r.content_hash =
      case when o.removed_at is null and o.current_hash is not null and o.held_hash is null then o.current_hash
           else o.held_hash end
    where o.source <> l.source and o.missing_since is null and o.decided_price is null
  ) e join source s on s.source = e.source and ${isRead(db, 's', now)}`

/** Selects a number that differs wherever the evidence of a line does. */
const basisOf = (db: Db) => db`
  coalesce(sum(hashtextextended(concat_ws(' ', e.source, e.format, e.rank, e.price,
                                             case when e.is_held then 'held' end), 0)), 0)`

const isServed = (db: Db) => db`l.current_hash is not null and l.removed_at is null`

type FactsRow = Omit<RowFacts, 'rank' | 'contradictedSince' | 'others'> & {
  rank: number
  contradictedSince: Instant | null
  others: (Omit<Statement, 'rank'> & { rank: number })[]
}

/** Returns what is known of the current rows of these lines. */
export async function rowFacts(tx: Tx, lineIds: string[], now: Instant): Promise<RowFacts[]> {
  const rows = await tx<FactsRow[]>`
    with line as materialized (
      select l.* from price_line l where l.line_id = any(${lineIds}::bigint[]) and ${isServed(tx)}
    ), evidence as (
      select e.line_id, ${basisOf(tx)} as basis,
             json_agg(json_build_object('source', e.source, 'format', e.format, 'rank', e.rank, 'price', e.price::text,
                                        'isHeld', e.is_held)
                      order by e.rank, e.source, e.price) as others
      from (${statements(tx, tx`line`, now)}) e group by e.line_id
    )
    select l.current_hash as "contentHash", l.line_id as "lineId", l.provider, l.source, s.format,
           ${rankOf(tx, 's', tx`l.provider`)} as rank, r.price::text as price,
           l.held_hash is not null as waits,
           not exists (select from unsaid_line u where u.line_id = l.line_id) as said, o.since as "contradictedSince",
           coalesce(e.others, '[]') as others, coalesce(e.basis, 0) as basis
    from line l join source s on s.source = l.source
    join price_row r on r.content_hash = l.current_hash
    left join contradicted_line o on o.line_id = l.line_id and o.price = r.price
    left join evidence e on e.line_id = l.line_id`
  return rows.map(({ rank, contradictedSince, others, ...row }) => ({
    ...row,
    rank: RANKS[rank]!,
    contradictedSince: contradictedSince ?? undefined,
    others: others.map((other) => ({ ...other, rank: RANKS[other.rank]! })),
  }))
}

/** Returns the served lines of which the evidence differs from what is recorded of their rows. */
export async function differingLines(tx: Tx, now: Instant): Promise<string[]> {
  // Evidence and lines are joined as a whole; of tables that grew lately the planner believes that they are small.
  await tx`set local enable_nestloop = off`
  const rows = await tx<{ lineId: string }[]>`
    with line as materialized (select l.* from price_line l where ${isServed(tx)}),
    evidence as (
      select e.line_id, ${basisOf(tx)} as basis from (${statements(tx, tx`line`, now)}) e group by e.line_id
    )
    select l.line_id as "lineId"
    from line l
    left join evidence e on e.line_id = l.line_id
    left join row_confirmation c on c.content_hash = l.current_hash and c.until is null
    left join contradicted_line o on o.line_id = l.line_id
      and o.price = (select price from price_row r where r.content_hash = l.current_hash)
    where (coalesce(e.basis, 0), o.since) is distinct from (coalesce(c.basis, 0), c.contradicted_since)
       or c.superseded
    order by l.line_id`
  return rows.map(({ lineId }) => lineId)
}

/** Returns a text that differs wherever evidence may have changed: then all lines are compared with it. */
export async function evidenceBasis(db: Db, now: Instant): Promise<string> {
  const [row] = await db<{ basis: string }[]>`
    select md5(concat_ws(' ',
      (select string_agg(concat_ws(' ', s.source, s.format, s.rank, s.speaks_for::text, s.ingested_at, s.price_version,
                                   ${isRead(db, 's', now)}), ',' order by s.source)
       from source s where s.kind = 'prices'),
      (select string_agg(concat_ws(' ', o.line_id, o.price, o.since), ',' order by o.line_id) from contradicted_line o)
    )) as basis`
  return row!.basis
}
