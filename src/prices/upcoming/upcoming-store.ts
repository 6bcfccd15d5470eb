import { keepSnapshots } from '../../catalog/snapshots/snapshot-store.ts'
import type { PricePoint } from '../../events/payloads/parts.ts'
import type { Instant } from '../../lib/instant.ts'
import { type Db, type Tx, unprepared } from '../../lib/sql.ts'
import type { DecidedUpcoming, EndReason, OpenUpcoming, Upcoming } from './schema.ts'

const identityOf = (db: Db, of: string) => db`
  (${db(of)}.provider, ${db(of)}.resource, ${db(of)}.dimension, ${db(of)}.unit, ${db(of)}.currency,
   ${db(of)}.pricing_tier)`

/** Selects whether a line is served. */
const isServed = (db: Db, line: string) => db`
  ${db(line)}.current_hash is not null and ${db(line)}.removed_at is null`

type CurrentRow = { price: string | null; recordedAt: Instant | null; contentHash: string | null }

const currentOf = ({ price, recordedAt, contentHash }: CurrentRow): { current?: PricePoint } =>
  price === null ? {} : { current: { price, recordedAt: recordedAt!, contentHash: contentHash! } }

/**
 * Returns those of announced prices that a source decides about, with the price in force: it is served for the resource,
 * and no other source is served for prices of that kind there.
 */
export async function decidedUpcoming(
  db: Db,
  source: string,
  upcoming: Upcoming[],
  at: Instant,
): Promise<DecidedUpcoming[]> {
  const later = upcoming.filter(({ beginsAt }) => beginsAt > at)
  if (later.length === 0) return []
  const rows = await db<(CurrentRow & { n: number })[]>`
    with wanted as (
      select (n - 1)::int as n, provider, resource, dimension, unit, currency, pricing_tier
      from rows from (jsonb_to_recordset(${db.json(later)}::jsonb) as (provider text, resource text, dimension text,
        unit text, currency text, "pricingTier" text)) with ordinality
        as w (provider, resource, dimension, unit, currency, pricing_tier, n)
    )
    select w.n, c.price::text, c.recorded_at as "recordedAt", c.content_hash as "contentHash"
    from wanted w
    left join price_line l on l.source = ${source} and ${identityOf(db, 'l')} = ${identityOf(db, 'w')} and ${isServed(db, 'l')}
    left join price_row c on c.content_hash = l.current_hash
    where exists (
        select from price_line o
        where o.source = ${source} and (o.provider, o.resource) = (w.provider, w.resource) and ${isServed(db, 'o')})
      and not exists (
        select from price_line o
        where o.source <> ${source} and (o.provider, o.resource) = (w.provider, w.resource) and ${isServed(db, 'o')}
          and price_kind(o.provider, o.dimension, o.pricing_tier) = price_kind(w.provider, w.dimension, w.pricing_tier))
    order by w.n`
  return rows.map((row) => ({ ...later[row.n]!, ...currentOf(row) }))
}

/** Returns the announcements of a source that have not ended, and those of others for these lines. */
export async function openUpcoming(
  db: Db,
  source: string,
  { table, lines }: { table?: string; lines: Upcoming[] },
): Promise<OpenUpcoming[]> {
  const identities = lines.map(({ provider, resource, dimension, unit, currency, pricingTier }) => ({
    ...{ provider, resource, dimension, unit, currency, pricingTier },
  }))
  const rows = await unprepared(db)<(Omit<OpenUpcoming, 'current'> & CurrentRow & { announced: string })[]>`
    with open as (
      select u.* from upcoming_price u where u.source = ${source} and u.ended_at is null
      union
      select u.* from upcoming_price u
      join jsonb_to_recordset(${db.json(identities)}::jsonb) as w (provider text, resource text, dimension text,
        unit text, currency text, "pricingTier" text)
        on ${identityOf(db, 'u')} = (w.provider, w.resource, w.dimension, w.unit, w.currency, w."pricingTier")
      where u.ended_at is null
    )
    select u.upcoming_id as id, u.source, u.provider, u.resource, u.dimension, u.unit, u.currency,
           u.pricing_tier as "pricingTier", u.price::text as announced, u.begins_at as "beginsAt",
           u.effective_from as "effectiveFrom", u.canonical_resource as "canonicalResource",
           c.price::text, c.recorded_at as "recordedAt", c.content_hash as "contentHash",
           ${
             table
               ? db`exists (select from ${db(table)} s where s.price = u.price and ${identityOf(db, 's')} = ${identityOf(db, 'u')})`
               : db`false`
           } as "isListed"
    from open u
    left join price_line l on l.source = u.source and ${identityOf(db, 'l')} = ${identityOf(db, 'u')} and ${isServed(db, 'l')}
    left join price_row c on c.content_hash = l.current_hash
    order by u.upcoming_id`
  return rows.map(({ announced, price, recordedAt, contentHash, canonicalResource, ...row }) => ({
    ...row,
    price: announced,
    canonicalResource: canonicalResource ?? undefined,
    ...currentOf({ price, recordedAt, contentHash }),
  }))
}

/** Ends announcements in a publication. */
export async function endUpcoming(tx: Tx, at: Instant, ended: { id: string; because: EndReason }[]): Promise<void> {
  if (ended.length === 0) return
  await tx`
    update upcoming_price u set ended_at = ${at}, ended_because = e.because
    from jsonb_to_recordset(${tx.json(ended)}::jsonb) as e (id bigint, because text)
    where u.upcoming_id = e.id and u.ended_at is null`
}

type Evidence = { source: string; snapshotHash: string; parserVersion: number }

/** Records announcements in a publication. */
export async function insertUpcoming(
  tx: Tx,
  at: Instant,
  { source, snapshotHash, parserVersion }: Evidence,
  begun: Upcoming[],
): Promise<void> {
  if (begun.length === 0) return
  await keepSnapshots(tx, [snapshotHash])
  await tx`
    insert into upcoming_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, begins_at,
      effective_from, canonical_resource, snapshot_hash, locator, parser_version, first_seen_at, last_seen_at)
    select ${source}, provider, resource, dimension, unit, currency, "pricingTier", price, "beginsAt", "effectiveFrom",
           "canonicalResource", ${snapshotHash}, locator, ${parserVersion}, ${at}, ${at}
    from jsonb_to_recordset(${tx.json(begun)}::jsonb) as u (provider text, resource text, dimension text, unit text,
         currency text, "pricingTier" text, price numeric, "beginsAt" timestamptz(3), "effectiveFrom" text,
         "canonicalResource" text, locator text)`
}

/** Counts good fetches that showed everything which a source announces as it is. */
export async function repeatUpcoming(db: Db, source: string, at: Instant, fetches: number): Promise<void> {
  await db`
    update upcoming_price
    set fetches = fetches + ${fetches}::integer, last_seen_at = greatest(last_seen_at, ${at}::timestamptz)
    where source = ${source} and ended_at is null and first_seen_at < ${at}`
}

/** An announcement whose day has come, and how long it stood. */
export type StoodUpcoming = { price: string; since: Instant; fetches: number }

/** Returns the announcements of a source whose day has come and that have not ended. */
export async function dueUpcoming(
  db: Db,
  source: string,
  now: Instant,
): Promise<(Omit<Upcoming, 'beginsAt' | 'effectiveFrom' | 'locator'> & StoodUpcoming)[]> {
  const rows = await db<(Omit<Upcoming, 'beginsAt' | 'effectiveFrom' | 'locator'> & StoodUpcoming)[]>`
    select provider, resource, dimension, unit, currency, pricing_tier as "pricingTier", price::text,
           first_seen_at as since, fetches
    from upcoming_price where source = ${source} and ended_at is null and begins_at <= ${now}`
  return [...rows]
}

/** An announced price as readers see it. */
export type ShownUpcoming = Omit<Upcoming, 'pricingTier' | 'locator' | 'canonicalResource'> & {
  source: string
  tier: Record<string, string>
  announcedAt: Instant
}

/** Returns what was announced at an instant and had not begun, for all resources or for these. */
export async function upcomingAt(
  db: Db,
  asOf: Instant,
  names?: { provider: string; resource: string }[],
): Promise<ShownUpcoming[]> {
  const wanted = names
    ? db`and (u.provider, u.resource) in (select * from unnest(
        ${names.map(({ provider }) => provider)}::text[], ${names.map(({ resource }) => resource)}::text[]))`
    : db``
  const rows = await db<ShownUpcoming[]>`
    select u.source, u.provider, u.resource, u.dimension, u.unit, u.currency, u.pricing_tier::jsonb as tier,
           u.price::text, u.begins_at as "beginsAt", u.effective_from as "effectiveFrom",
           u.first_seen_at as "announcedAt"
    from upcoming_price u
    where u.first_seen_at <= ${asOf} and (u.ended_at is null or u.ended_at > ${asOf}) and u.begins_at > ${asOf} ${wanted}
    order by u.begins_at, u.upcoming_id`
  return [...rows]
}
