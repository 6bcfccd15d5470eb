import { type Db, type Sql, type Tx, unprepared } from '../../lib/sql.ts'
import type { Observation, UnreadablePrice } from '../schema.ts'

/** What a hash join of a million lines needs: PostgreSQL's 4 MB would write it to disk in many parts. */
export const WORK_MEMORY = '64MB'

export type ResourceName = { provider: string; resource: string }

/** Runs statements that read all lines of a snapshot. */
export async function readingAll<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('work_mem', ${WORK_MEMORY}, true)`
    return { done: await work(tx) }
  })
  return result.done as T
}

/** Lines that a snapshot has more than once: how often, with the same price or another one, each with an example. */
export type Duplicates = { same?: RepeatedLines; other?: RepeatedLines }
type RepeatedLines = { count: number; example: string }

/** Keeps one of the lines that a snapshot has more than once: that of the lowest rank, and of those the first. */
export async function dropDuplicates(db: Db, name: string): Promise<Duplicates> {
  const rows = await unprepared(db)<{ same: boolean; count: number; example: string }[]>`
    with twice as (
      select ${lineHash(db)} as hash from ${db(name)} where price is not null group by 1 having count(*) > 1
    ), ranked as (
      select ord, rank, price, resource, dimension, locator,
             first_value(price) over line as taken, row_number() over line as n
      from ${db(name)}
      where price is not null and ${lineHash(db)} in (select hash from twice)
      window line as (partition by provider, resource, dimension, unit, currency, pricing_tier order by rank, ord)
    ), repeated as (
      delete from ${db(name)} s using ranked r where r.n > 1 and s.ord = r.ord
      returning r.ord, r.rank, r.taken, r.price, r.resource, r.dimension, r.locator
    )
    select taken = price as same, count(*)::int as count,
           (array_agg(resource || ' ' || dimension
              || case when taken = price then '' else ': ' || taken || ', then ' || price end
              || ' at ' || locator order by rank, ord))[1] as example
    from repeated group by 1`
  const of = (wanted: boolean) => rows.find(({ same }) => same === wanted)
  return { same: of(true), other: of(false) }
}

const lineHash = (db: Db) =>
  db`hash_record_extended(row(provider, resource, dimension, unit, currency, pricing_tier), 0)`

/** Makes a zero for cached tokens beside a price for uncached ones unreadable: it means "unknown" in the sources. */
export async function doubtZeros(db: Db, name: string): Promise<number> {
  const changed = await unprepared(db)`
    update ${db(name)} z set price = null, unreadable = '0'
    where z.price = 0 and starts_with(z.dimension, 'cache_')
      and exists (select from ${db(name)} i where i.provider = z.provider and i.resource = z.resource
                    and i.dimension = 'input_tokens' and i.price <> 0)`
  return changed.count
}

/** Returns how many prices a snapshot has. */
export async function countPrices(db: Db, name: string): Promise<number> {
  const [row] = await unprepared(db)<{ count: number }[]>`select count(price)::int as count from ${db(name)}`
  return row!.count
}

/** Returns a hash of the lines and prices of a snapshot, whatever their order. */
export async function contentOf(db: Db, name: string): Promise<string> {
  const [row] = await unprepared(db)<{ content: string }[]>`
    select count(*) || ' ' || coalesce(sum(h1), 0) || ' ' || coalesce(sum(h2), 0) as content
    from (
      select hashtextextended(line, 1) as h1, hashtextextended(line, 2) as h2
      from (
        select concat_ws(e'\x1f', provider, resource, dimension, unit, currency, pricing_tier, price) as line
        from ${db(name)} where price is not null
      ) l
    ) h`
  return row!.content
}

/** Selects what a line of the snapshot, or a published one, says: a number that `price_line.content` is compared with. */
export const lineContent = (db: Db) =>
  db`line_content(provider, resource, dimension, unit, currency, pricing_tier, price, effective_from, canonical_resource,
                  category, billing_condition)`

/**
 * Returns the resources of which a line differs from what is published: new, with another price or detail, absent, or
 * in a state that the snapshot ends.
 */
export async function differingResources(tx: Tx, name: string, source: string): Promise<ResourceName[]> {
  await noteContents(tx, source)
  // Lines are compared by one number each: a hash join of a million of them stays in memory.
  await tx`set local enable_mergejoin = off`
  const rows = await unprepared(tx)<ResourceName[]>`
    select distinct coalesce(s.provider, l.provider) as provider, coalesce(s.resource, l.resource) as resource
    from (select provider, resource, ${lineContent(tx)} as content from ${tx(name)} where price is not null) s
    full join (
      select provider, resource, content, removed_at, held_hash,
             held_hash is null and decided_price is null and missing_since is null and removed_at is null as calm
      from price_line where source = ${source}
    ) l using (content)
    where case when s.provider is null then l.removed_at is null or l.held_hash is not null else l.provider is null or not l.calm end`
  return [...rows]
}

/** Notes what lines say that an older version published in a first load: it does not know of that. */
async function noteContents(tx: Tx, source: string): Promise<void> {
  await tx`
    update price_line l
    set content = line_content(l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier, r.price,
                               r.effective_from, r.canonical_resource, r.category, r.billing_condition)
    from price_row r
    where l.source = ${source} and l.content is null and l.current_hash is not null
      and r.content_hash = l.current_hash`
}

type StagedRow = { [K in keyof Omit<Observation, 'pricingTier' | 'proof'>]: string | null } & {
  pricingTier: string | null
  unreadable: string | null
}

/** Returns what a snapshot says of these resources, in its order. */
export async function stagedLines(
  db: Db,
  name: string,
  resources: ResourceName[],
): Promise<{ observations: Observation[]; unreadable: UnreadablePrice[] }> {
  const rows =
    resources.length === 0
      ? []
      : await unprepared(db)<StagedRow[]>`
    select s.provider, s.resource, s.dimension, s.unit, s.currency, s.pricing_tier as "pricingTier", s.price,
           s.unreadable, s.effective_from as "effectiveFrom", s.canonical_resource as "canonicalResource", s.category,
           s.billing_condition as "billingCondition", s.locator
    from ${db(name)} s
    where (s.provider, s.resource) in (
      select r.provider, r.resource from jsonb_to_recordset(${db.json(resources)}::jsonb) as r (provider text, resource text))
    order by s.rank, s.ord`
  const observations: Observation[] = []
  const unreadable: UnreadablePrice[] = []
  for (const { unreadable: text, ...row } of rows) {
    const line = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as Observation
    if (row.pricingTier !== null) line.pricingTier = JSON.parse(row.pricingTier)
    if (row.price === null) unreadable.push({ ...line, text: text ?? '' })
    else observations.push(line)
  }
  return { observations, unreadable }
}
