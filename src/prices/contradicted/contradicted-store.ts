import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { isRead, rankOf } from '../authority/order-store.ts'
import type { ContradictedLine, Contradiction, ServedContradiction } from './schema.ts'

/** Selects whether a person decided about the line `l` or the row that is served for it. */
export const isDecided = (db: Db) => db`
  (l.decided_price is not null or (
    select actor from price_status p where p.content_hash = l.current_hash order by p.seq desc limit 1) is not null)`

/** When a source was last read. */
const lastRead = (db: Db, source: string) => db`greatest(${db(source)}.last_good_at, ${db(source)}.ingested_at)`

/** Lets one process after the other find contradictions, and prepares the transaction for reading all lines. */
export async function lockContradictions(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('contradicted lines', 0))`
  // Evidence and lines are joined as a whole; of tables that grew lately the planner believes that they are small.
  await tx`set local enable_nestloop = off`
}

/**
 * Returns what sources show against prices that are served: evidence, and prices of better sources that wait for a
 * person. Both prices have stood since `until`. A source of a lower rank says nothing against a better one, unless that one no
 * longer shows the line, or the other has news and the better one could not be read since.
 */
export async function contradictions(db: Db, until: Instant, now: Instant): Promise<Contradiction[]> {
  type Row = Omit<Contradiction, 'other'> & Contradiction['other'] & { by: string; other: string }
  const rows = await db<Row[]>`
    with shown as materialized (
      select source, provider, resource, dimension, unit, currency, pricing_tier, price, shown_since, true as evident
      from witness_price where shown_since <= ${until}
      union all
      select l.source, provider, resource, dimension, unit, currency, pricing_tier, r.price, l.held_since, false
      from price_line l join price_row r on r.content_hash = l.held_hash
      where l.held_since <= ${until} and (l.current_hash is null or l.removed_at is not null)
    ), known_since as materialized (
      select source, min(shown_since) as at from witness_price group by source
    ), served as materialized (
      select l.*, c.price, c.recorded_at
      from price_line l join price_row c on c.content_hash = l.current_hash
      where l.removed_at is null and c.recorded_at <= ${until}
    ), other_price as materialized (
      select l.line_id, l.source, l.provider, l.current_hash, l.decided_price, l.price, l.recorded_at, l.missing_since,
             w.source as by, w.price as other, w.shown_since, w.evident
      from shown w join served l using (provider, resource, dimension, unit, currency, pricing_tier)
      where l.source <> w.source and l.price <> w.price
    )
    select l.line_id as "lineId", l.source, l.price::text as price,
           ${isDecided(db)} as "isDecided",
           l.by, other.format, l.other::text as other, greatest(l.shown_since, l.recorded_at) as since,
           ${rankOf(db, 'other', db`l.provider`)} < ${rankOf(db, 'mine', db`l.provider`)} as "isBetter",
           l.evident and not other.witness as "canDecide",
           exists (select from contradicted_line o where (o.line_id, o.decided_by) = (l.line_id, l.by)) as decides,
           coalesce(other.position, 32767) + 100000 * ${rankOf(db, 'other', db`l.provider`)} as place
    from other_price l
    join source mine on mine.source = l.source and not mine.witness
    join source other on other.source = l.by and ${isRead(db, 'other', now)}
      and (${rankOf(db, 'other', db`l.provider`)} <= ${rankOf(db, 'mine', db`l.provider`)}
           or l.missing_since is not null
           or ${lastRead(db, 'mine')} < l.shown_since
              and ${lastRead(db, 'mine')} > (select at from known_since k where k.source = l.by))`
  return rows.map(({ by, format, other, since, isBetter, canDecide, decides, place, ...line }) => ({
    ...line,
    other: { source: by, format, price: other, since, isBetter, canDecide, decides, place },
  }))
}

/** Selects whether the source `by` may still speak against `mine`: one that shows the line again is heard before a lower rank. */
const maySpeak = (db: Db) => db`
  (${rankOf(db, 'by', db`l.provider`)} <= ${rankOf(db, 'mine', db`l.provider`)} or l.missing_since is not null
   or ${lastRead(db, 'mine')} < o.since)`

/** Removes what no longer holds. Returns the sources that decide about lines again. */
export async function forgetContradictions(tx: Tx, still: ContradictedLine[], now: Instant): Promise<string[]> {
  const rows = await tx<{ source: string | null }[]>`
    delete from contradicted_line o
    using price_line l, source mine
    where l.line_id = o.line_id and mine.source = l.source and case
      when o.decided_by is null then o.line_id <> all(${still.map(({ lineId }) => lineId)}::bigint[])
      else not exists (
        select from source by
        join price_line d on d.source = by.source
        where by.source = o.decided_by and ${isRead(tx, 'by', now)} and not by.witness and ${maySpeak(tx)}
          and (d.provider, d.resource, d.dimension, d.unit, d.currency, d.pricing_tier)
            = (l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)
          and (d.current_hash is not null and d.removed_at is null or d.held_hash is not null)
        union all
        select from source by
        join witness_price w on w.source = by.source
        where by.source = o.decided_by and ${isRead(tx, 'by', now)} and not by.witness and ${maySpeak(tx)}
          and (w.provider, w.resource, w.dimension, w.unit, w.currency, w.pricing_tier)
            = (l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)
      ) end
    returning case when o.decided_by is not null then l.source end as source`
  return [...new Set(rows.flatMap(({ source }) => source ?? []))]
}

/** Records contradicted lines. Returns the sources that decide about lines which they did not decide about before. */
export async function recordContradictions(tx: Tx, found: ContradictedLine[]): Promise<string[]> {
  if (found.length === 0) return []
  const lines = found.map(({ lineId, price, otherPrice, sources, since, decidedBy }) => ({
    ...{ lineId, price, otherPrice, sources, since },
    decidedBy: decidedBy ?? null,
  }))
  // A source that decides about a line is contradicted there no more.
  await tx`
    delete from contradicted_line o using price_line l, price_line contradicted,
      jsonb_to_recordset(${tx.json(lines)}::jsonb) as c ("lineId" bigint, "decidedBy" text)
    where l.line_id = o.line_id and contradicted.line_id = c."lineId" and l.source = c."decidedBy"
      and (l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)
        = (contradicted.provider, contradicted.resource, contradicted.dimension, contradicted.unit,
           contradicted.currency, contradicted.pricing_tier)`
  const rows = await tx<{ by: string | null }[]>`
    with before as (select line_id, decided_by from contradicted_line)
    insert into contradicted_line as o (line_id, price, other_price, sources, since, decided_by)
    select "lineId", price, "otherPrice", sources, since, "decidedBy"
    from jsonb_to_recordset(${tx.json(lines)}::jsonb) as c ("lineId" bigint, price numeric, "otherPrice" numeric,
         sources text[], since timestamptz, "decidedBy" text)
    on conflict (line_id) do update
    set price = excluded.price, other_price = excluded.other_price, sources = excluded.sources, since = excluded.since,
        decided_by = excluded.decided_by
    returning case when o.decided_by is distinct from
                (select b.decided_by from before b where b.line_id = o.line_id) then o.decided_by end as by`
  return [...new Set(rows.flatMap(({ by }) => by ?? []))]
}

/** Returns the contradicted lines that are served, those contradicted longest first. */
export async function servedContradictions(db: Db): Promise<ServedContradiction[]> {
  type Row = Omit<ServedContradiction, 'decidedBy'> & { decidedBy: string | null }
  const rows = await db<Row[]>`
    select l.source, l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier",
           l.current_hash as "contentHash", o.price::text as price, o.other_price::text as "otherPrice", o.sources, o.since,
           o.decided_by as "decidedBy", ${isDecided(db)} as "isDecided"
    from contradicted_line o join price_line l using (line_id)
    where l.current_hash is not null and l.removed_at is null
    order by o.since, l.provider, l.resource, l.line_id`
  return rows.map(({ decidedBy, ...row }) => ({ ...row, ...(decidedBy !== null && { decidedBy }) }))
}
