import { resourceKey } from '../../catalog/resource-rules.ts'
import type { Instant } from '../../lib/instant.ts'
import { type Db, type Tx, unprepared } from '../../lib/sql.ts'
import type { LineIdentity } from '../schema.ts'
import type { ResourceName } from '../staging/compare-store.ts'
import type { CoveredResource, ListedElsewhere } from './authority-rules.ts'
import { isDecidedByComplete, saysItAll } from './complete-store.ts'
import type { OwnResource, Respelling } from './one-name-rules.ts'
import { COMMUNITY, isRead, isStillListed, rankOf, standsBefore } from './order-store.ts'
import { decidedElsewhere, decidesInstead, type OverruledLines } from './overruled-store.ts'

/** Returns what other sources list of the providers that a snapshot names. Witnesses list nothing. */
export async function listedElsewhere(db: Db, table: string, source: string, now: Instant): Promise<ListedElsewhere[]> {
  const rows = await unprepared(db)<ListedElsewhere[]>`
    select r.provider, r.resource, r.source,
           ${standsBefore(db, 'other', 'mine', db`r.provider`)} as above,
           ${standsBefore(db, 'mine', 'other', db`r.provider`)} as below,
           ${isRead(db, 'other', now)} and ${isStillListed(db, now)} as decides
    from resource r
    join source other on other.source = r.source
    join source mine on mine.source = ${source}
    where r.source <> ${source} and r.removed_at is null and not other.witness
      and r.provider in (select distinct provider from ${db(table)})
    order by ${rankOf(db, 'other', db`r.provider`)}, other.position nulls last, r.source`
  return [...rows]
}

/** Returns the resources of these providers that a snapshot has. */
export async function stagedResources(db: Db, table: string, providers: string[]): Promise<ResourceName[]> {
  const rows = await unprepared(db)<ResourceName[]>`
    select distinct provider, resource from ${db(table)} where provider = any(${providers}::text[])`
  return [...rows]
}

/** Returns the resources that a source lists. */
export async function ownResources(db: Db, source: string): Promise<OwnResource[]> {
  const rows = await db<OwnResource[]>`
    select provider, resource,
           exists (select from resource o
                   where (o.provider, o.resource) = (r.provider, r.resource) and o.source <> r.source) as shared
    from resource r
    where source = ${source} and removed_at is null`
  return [...rows]
}

/** Returns the providers of a snapshot of which its source is a list that people keep. */
export async function keptByPeople(db: Db, table: string, source: string): Promise<Set<string>> {
  const rows = await unprepared(db)<{ provider: string }[]>`
    select provider from (select distinct provider from ${db(table)}) p
    join source s on s.source = ${source} and ${rankOf(db, 's', db`p.provider`)} = ${COMMUNITY}`
  return new Set(rows.map(({ provider }) => provider))
}

/** Takes resources out of a snapshot that it has under another name too. Returns how many prices they had. */
export async function dropSecondNames(db: Db, table: string, names: ResourceName[]): Promise<number> {
  if (names.length === 0) return 0
  const taken = await unprepared(db)<{ priced: boolean }[]>`
    delete from ${db(table)} s
    using jsonb_to_recordset(${db.json(names.map(({ provider, resource }) => ({ provider, resource })))}::jsonb)
      as n (provider text, resource text)
    where (s.provider, s.resource) = (n.provider, n.resource)
    returning s.price is not null as priced`
  return taken.filter(({ priced }) => priced).length
}

/** Gives resources of a snapshot the names that they are served under. */
export async function respell(db: Db, table: string, names: Respelling[]): Promise<void> {
  if (names.length === 0) return
  await unprepared(db)`
    update ${db(table)} s set resource = n."to"
    from jsonb_to_recordset(${db.json(names)}::jsonb) as n (provider text, "from" text, "to" text)
    where (s.provider, s.resource) = (n.provider, n."from")`
}

/** What other sources decide about, seen from the source that is read. */
export type Outside = { source: string; covered: CoveredResource[]; overruled: OverruledLines }

/**
 * Selects the lines of a snapshot that another source decides about: of its resources and of the kinds that it reads, or
 * because it contradicts them.
 * The kinds are found once for each source and provider: asked for each line, a long list takes ten seconds.
 */
const coveredLines = (db: Db, table: string, { source, covered, overruled: { instead, by } }: Outside) => db`(
  with covered as materialized (
    select * from jsonb_to_recordset(${db.json(covered)}::jsonb) as c (provider text, resource text, "by" text)
  ), read_kind as materialized (
    select distinct l.source, l.provider, price_kind(l.provider, l.dimension, l.pricing_tier) as kind
    from price_line l
    where (l.source, l.provider) in (select "by", provider from covered)
      and l.current_hash is not null and l.removed_at is null
  )
  select s.*
  from ${db(table)} s
  where exists (
    select from covered c
    where (c.provider, c.resource) = (s.provider, s.resource)
      and (s.price is null or (c."by", s.provider, price_kind(s.provider, s.dimension, s.pricing_tier)) in (
        select source, provider, kind from read_kind))
      ${instead.length > 0 ? db`and not ${decidesInstead(db, source, db`c."by"`)}` : db``})
    ${by.size > 0 ? db`or ${decidedElsewhere(db, source)}` : db``})`

/** Forgets what a source showed as evidence and no longer shows among what others decide about. */
export async function forgetEvidence(tx: Tx, table: string, outside: Outside): Promise<void> {
  await unprepared(tx)`
    delete from witness_price w
    where w.source = ${outside.source} and not exists (
      select from ${coveredLines(tx, table, outside)} s
      where s.price is not null
        and (s.provider, s.resource, s.dimension, s.unit, s.currency, s.pricing_tier)
          = (w.provider, w.resource, w.dimension, w.unit, w.currency, w.pricing_tier))`
}

/**
 * Makes what a snapshot says about prices that others decide evidence of its source, and takes it out of the snapshot. A
 * price that stays keeps the instant it came. Returns how many prices were taken out.
 */
export async function moveToEvidence(tx: Tx, table: string, outside: Outside, at: Instant): Promise<number> {
  const { source, covered, overruled } = outside
  if (covered.length === 0 && overruled.by.size === 0) return 0
  await unprepared(tx)`
    insert into witness_price as w (source, provider, resource, dimension, unit, currency, pricing_tier, price,
      canonical_resource, effective_from, locator, shown_since)
    select ${source}, provider, resource, dimension, unit, currency, pricing_tier, price, canonical_resource,
           effective_from, locator, ${at}
    from ${coveredLines(tx, table, outside)} s where price is not null
    on conflict (source, provider, resource, dimension, unit, currency, pricing_tier) do update
    set price = excluded.price, canonical_resource = excluded.canonical_resource,
        effective_from = excluded.effective_from, locator = excluded.locator,
        shown_since = case when w.price = excluded.price then w.shown_since else excluded.shown_since end`
  const taken = await unprepared(tx)<{ priced: boolean }[]>`
    delete from ${tx(table)} s using ${coveredLines(tx, table, outside)} c where s.ord = c.ord
    returning s.price is not null as priced`
  return taken.filter(({ priced }) => priced).length
}

/** Returns which kinds of prices a snapshot has. */
export async function stagedKinds(db: Db, table: string, providers: string[]): Promise<Set<string>> {
  const rows = await unprepared(db)<{ kind: string }[]>`
    select distinct price_kind(provider, dimension, pricing_tier) as kind
    from ${db(table)} where price is not null and provider = any(${providers}::text[])`
  return new Set(rows.map(({ kind }) => kind))
}

/** Creates the lines with which a source takes resources over, so that they can be compared with what is served. */
export async function createTakingLines(
  db: Db,
  table: string,
  source: string,
  resources: ResourceName[],
): Promise<void> {
  await unprepared(db)`
    insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
    select distinct ${source}, provider, resource, s.dimension, s.unit, s.currency, s.pricing_tier
    from ${db(table)} s
    join jsonb_to_recordset(${db.json(resources)}::jsonb) as t (provider text, resource text) using (provider, resource)
    where s.dimension is not null and s.unit is not null and s.currency is not null and s.pricing_tier is not null
    on conflict do nothing`
}

/** Returns whether a source has evidence about a resource that no source before it decides about any more. */
export async function isNeeded(db: Db, source: string, now: Instant): Promise<boolean> {
  const [row] = await db<{ needed: boolean }[]>`
    select exists (
      select from (select distinct provider, resource from witness_price s
                   where source = ${source} and not ${decidedElsewhere(db, source)}) w
      where not exists (
        select from resource r
        join source other on other.source = r.source
        join source mine on mine.source = ${source}
        where (r.provider, r.resource) = (w.provider, w.resource) and r.source <> ${source} and r.removed_at is null
          and not other.witness and ${standsBefore(db, 'other', 'mine', db`r.provider`)}
          and ${isRead(db, 'other', now)} and ${isStillListed(db, now)})
        and not ${isDecidedByComplete(db, source, now)}
    ) as needed`
  return row!.needed
}

/** Returns whether a source is a list that people keep, behind another one in the order of the declaration. */
export async function isBehind(db: Db, source: string): Promise<boolean> {
  const [row] = await db<{ behind: boolean }[]>`
    select exists (
      select from source mine join source other
        on other.declared and not other.witness and other.rank = ${COMMUNITY} and other.position < mine.position
      where mine.source = ${source} and mine.declared and mine.rank = ${COMMUNITY}) as behind`
  return row!.behind
}

/** Returns which of these resources another source is served for and still lists, by key. */
export async function servedElsewhere(
  db: Db,
  source: string,
  resources: ResourceName[],
  now: Instant,
): Promise<Set<string>> {
  if (resources.length === 0) return new Set()
  const wanted = resources.map(({ provider, resource }) => ({ provider, resource }))
  const rows = await db<ResourceName[]>`
    select distinct r.provider, r.resource
    from jsonb_to_recordset(${db.json(wanted)}::jsonb) as g (provider text, resource text)
    join resource r on (r.provider, r.resource) = (g.provider, g.resource)
    join source other on other.source = r.source
    where r.source <> ${source} and r.removed_at is null and not other.witness
      and ${isRead(db, 'other', now)} and ${isStillListed(db, now)}`
  return new Set(rows.map(resourceKey))
}

/**
 * Returns which of these resources another source shows, also at a price that waits; `isHeir` when it can take them over, as
 * a witness cannot.
 */
export async function shownElsewhere(
  db: Db,
  source: string,
  resources: ResourceName[],
  now: Instant,
): Promise<(ResourceName & { isHeir: boolean })[]> {
  if (resources.length === 0) return []
  const wanted = resources.map(({ provider, resource }) => ({ provider, resource }))
  const rows = await db<(ResourceName & { isHeir: boolean })[]>`
    select w.provider, w.resource, bool_or(not other.witness) as "isHeir"
    from jsonb_to_recordset(${db.json(wanted)}::jsonb) as g (provider text, resource text)
    join (
      select source, provider, resource from witness_price
      union all
      select source, provider, resource from price_line
      where held_hash is not null and missing_since is null and removed_at is null
    ) w on (w.provider, w.resource) = (g.provider, g.resource)
    join source other on other.source = w.source
    where w.source <> ${source} and ${isRead(db, 'other', now)} and not ${saysItAll(db, source)}
    group by w.provider, w.resource`
  return [...rows]
}

/** Returns the lines that other sources are served for and that are these in everything but the source. */
export async function sameLinesElsewhere(
  db: Db,
  source: string,
  lines: LineIdentity[],
): Promise<{ source: string; lineId: string }[]> {
  const wanted = lines.map(({ provider, resource, dimension, unit, currency, pricingTier }) => ({
    provider, resource, dimension, unit, currency, pricingTier,
  })) // biome-ignore format: a list reads best in lines
  const rows = await db<{ source: string; lineId: string }[]>`
    select l.source, l.line_id as "lineId"
    from jsonb_to_recordset(${db.json(wanted)}::jsonb) as w (provider text, resource text, dimension text, unit text,
         currency text, "pricingTier" text)
    join price_line l on (l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier)
                       = (w.provider, w.resource, w.dimension, w.unit, w.currency, w."pricingTier")
    join source other on other.source = l.source
    join source mine on mine.source = ${source}
    where l.source <> ${source} and l.removed_at is null and l.current_hash is not null and not other.witness
      and (${standsBefore(db, 'mine', 'other', db`l.provider`)} or ${standsBefore(db, 'other', 'mine', db`l.provider`)})
    order by ${rankOf(db, 'other', db`l.provider`)} desc, other.position desc nulls first`
  return [...rows]
}
