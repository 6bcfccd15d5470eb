import type { PendingQuery, Row } from 'postgres'
import { type Db, type Tx, unprepared } from '../../lib/sql.ts'
import { lineKey } from '../row-rules.ts'
import type { LineIdentity } from '../schema.ts'
import type { TakenResource } from './authority-rules.ts'
import { rankOf } from './order-store.ts'

const isLine = (db: Db, one: string, other: string) => db`
  (${db(one)}.provider, ${db(one)}.resource, ${db(one)}.dimension, ${db(one)}.unit, ${db(one)}.currency,
   ${db(one)}.pricing_tier) = (${db(other)}.provider, ${db(other)}.resource, ${db(other)}.dimension, ${db(other)}.unit,
   ${db(other)}.currency, ${db(other)}.pricing_tier)`

/** Selects whether a source decides about the line `s` in place of another one, which it contradicts. */
export const decidesInstead = (db: Db, source: string, other: PendingQuery<Row[]>) => db`
  exists (select from contradicted_line o join price_line l using (line_id)
          where o.decided_by = ${source} and l.source = ${other} and ${isLine(db, 'l', 's')})`

/** Selects whether another source is served for the line `s` in place of this one, which still shows the same price. */
export const decidedElsewhere = (db: Db, source: string) => db`
  exists (select from contradicted_line o join price_line l using (line_id)
          join price_line d on d.source = o.decided_by and ${isLine(db, 'd', 'l')}
          where l.source = ${source} and ${isLine(db, 'l', 's')} and o.price = s.price
            and d.current_hash is not null and d.removed_at is null)`

/** A line that a source decides about, and in place of which source. */
export type InPlace = LineIdentity & { of: string }

/** Where a source decides about lines in place of others, or others in place of it. */
export type OverruledLines = {
  /** The lines that it decides about, and in place of which source. */
  instead: InPlace[]
  /** The lines that others decide about, by source and key. */
  by: Set<string>
}

/** Ends the contradictions of a source that shows another price now, and returns those that are left. */
export async function overruledLines(tx: Tx, table: string, source: string): Promise<OverruledLines> {
  await unprepared(tx)`
    delete from contradicted_line o using price_line l, ${tx(table)} s
    where l.line_id = o.line_id and l.source = ${source} and ${isLine(tx, 'l', 's')}
      and s.price is not null and s.price <> o.price`
  type OverruledRow = LineIdentity & { source: string; decider: string }
  const rows = await tx<OverruledRow[]>`
    select l.source, o.decided_by as decider, l.provider, l.resource, l.dimension, l.unit, l.currency,
           l.pricing_tier as "pricingTier"
    from contradicted_line o join price_line l using (line_id)
    where o.decided_by = ${source} or l.source = ${source} and o.decided_by is not null`
  return {
    instead: rows
      .filter(({ decider }) => decider === source)
      .map(({ source: of, decider: _, ...line }) => ({ ...line, of })),
    by: new Set(rows.filter((row) => row.source === source).map((row) => overruledKey(row.decider, row))),
  }
}

/** Returns the lines that a source decides about in place of others, and that its snapshot has. */
export async function listedInstead(
  tx: Tx,
  table: string,
  { instead }: OverruledLines,
): Promise<OverruledLines['instead']> {
  if (instead.length === 0) return []
  const rows = await unprepared(tx)<{ n: number }[]>`
    select (i.n - 1)::int as n
    from rows from (jsonb_to_recordset(${tx.json(instead)}::jsonb) as (provider text, resource text, dimension text,
      unit text, currency text, "pricingTier" text)) with ordinality
      as i (provider, resource, dimension, unit, currency, pricing_tier, n)
    where exists (select from ${tx(table)} s where s.price is not null and ${isLine(tx, 's', 'i')})`
  return rows.map(({ n }) => instead[n]!)
}

/** Returns the lines of a snapshot that these others are served for. */
export async function servedBeside(tx: Tx, table: string, beside: TakenResource[]): Promise<InPlace[]> {
  if (beside.length === 0) return []
  const rows = await unprepared(tx)<InPlace[]>`
    select l.source as of, l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier"
    from jsonb_to_recordset(${tx.json(beside)}::jsonb) as b (provider text, resource text, sources text[])
    join ${tx(table)} s on (s.provider, s.resource) = (b.provider, b.resource)
    join price_line l on l.source = any(b.sources) and ${isLine(tx, 'l', 's')}
    where s.price is not null and l.current_hash is not null and l.removed_at is null`
  return [...rows]
}

/** Returns the prices that sources left at the lines that a source, of no better rank, decides about in place of them. */
export async function leftPrices(tx: Tx, source: string): Promise<Map<string, string[]>> {
  const rows = await tx<(LineIdentity & { source: string; left: string[] })[]>`
    select l.source, l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier",
           array(select distinct r.price::text from price_row r join publication p using (content_hash)
                 where r.line_id = l.line_id and r.recorded_at < c.recorded_at) as left
    from contradicted_line o join price_line l using (line_id)
    join price_row c on c.content_hash = l.current_hash
    join source mine on mine.source = l.source join source by on by.source = o.decided_by
    where o.decided_by = ${source} and ${rankOf(tx, 'by', tx`l.provider`)} >= ${rankOf(tx, 'mine', tx`l.provider`)}`
  return new Map(rows.map(({ left, ...line }) => [overruledKey(line.source, line), left]))
}

/** Names a line of a source. */
export const overruledKey = (source: string, line: LineIdentity): string => `${source} ${lineKey(line)}`
