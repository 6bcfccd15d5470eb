import type { PendingQuery, Row } from 'postgres'
import { looksLikeGroupId } from '../../aliases/group-rules.ts'
import { AS_OF_DELAY_MS } from '../../catalog/clock/clock-rules.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type IncludeOption, pageOf } from './history-rules.ts'
import type { HistoryScope, ProvidersAt, RowScope } from './scope-rules.ts'

/** What is looked up for a request. `alias` is a group's id or name. */
export type ScopeRequest = {
  asOf?: Instant
  providers: string[]
  alias?: string
  since?: Instant
  /** The timeline that a cursor names. */
  timeline?: string
}

/** Looks up everything a page's request refers to, in one statement and one snapshot. */
export async function historyScope(sql: Sql, request: ScopeRequest): Promise<HistoryScope> {
  const id = request.alias !== undefined && looksLikeGroupId(request.alias) ? request.alias : null
  const name = request.alias !== undefined && id === null ? request.alias : null
  const [scope] = await sql<(Omit<HistoryScope, 'group'> & { group: HistoryScope['group'] | null })[]>`
    with clock as (
      select date_trunc('milliseconds', clock_timestamp() - ${`${AS_OF_DELAY_MS} ms`}::interval) as newest
    ), instant as (
      select newest, coalesce(${request.asOf ?? null}::timestamptz, newest) as as_of from clock
    ), timeline as (
      select timeline_id, fingerprint from history_timeline order by timeline desc limit 1
    )
    select newest, as_of as "asOf",
      (select last_stamp >= as_of from publication_clock) as closed,
      array(
        select n from unnest(${request.providers}::text[]) as n where not exists (select from provider where provider = n)
      ) as "unknownProviders",
      (select json_build_object('id', g.group_id, 'name', g.name, 'revision', g.revision, 'members', coalesce((
           select json_agg(json_build_object('provider', m.provider, 'resource', m.resource)
                           order by m.provider collate "C", m.resource collate "C")
           from alias_member m where m.group_id = g.group_id and m.left_at is null), '[]'))
       from alias_group g
       where g.deleted_at is null and (g.group_id = ${id}::uuid or alias_name_key(g.name) = alias_name_key(${name}::text))
      ) as "group",
      p."creditProviders", p."usualProviders",
      timeline_id as timeline,
      fingerprint is not distinct from history_fingerprint() as "sameDatabase",
      ${request.timeline ?? null}::uuid is null
        or exists (select from history_timeline where timeline_id = ${request.timeline ?? null}::uuid) as "knownTimeline",
      json_build_object('asOf', was_lost(as_of), 'since', was_lost(${request.since ?? null}::timestamptz)) as lost
    from instant cross join timeline cross join lateral (${providersOf(sql, sql`as_of`)}) p`
  const { group, ...rest } = scope!
  return { ...rest, group: group ?? undefined }
}

/** Selects what the providers were at an instant. */
const providersOf = (sql: Sql, at: PendingQuery<Row[]>) => sql`
  select
    coalesce(array_agg(q.provider) filter (where q.in_credits), '{}') as "creditProviders",
    coalesce(array_agg(q.provider) filter (where q.in_usd and not q.in_credits and 'active' = (
      select s.status from provider_status s where s.provider = q.provider and s.at <= ${at} order by s.at desc limit 1
    )), '{}') as "usualProviders"
  from (
    select distinct on (provider) provider, in_credits, in_usd
    from provider_pricing where at <= ${at} order by provider, at desc
  ) q`

/** Returns what the providers were at a closed instant. */
export async function providersAt(sql: Sql, at: Instant): Promise<ProvidersAt> {
  const [row] = await sql<ProvidersAt[]>`${providersOf(sql, sql`${at}::timestamptz`)}`
  return row!
}

/**
 * A page as it goes out: the rows' JSON texts joined by commas, never parsed again; `next` when there are more.
 * `unpublished` is there for changes alone. `complete`: the database that was read has everything up to the instant, and
 * is of the same history; a replica may be behind.
 */
export type HistoryPage = { prices: Buffer; unpublished?: string[]; next?: string; complete: boolean }

/** Reads one page at a closed instant. */
export async function historyPage(
  sql: Sql,
  page: { asOf: Instant; rows: RowScope; after: string; limit: number; include?: IncludeOption[]; timeline?: string },
): Promise<HistoryPage> {
  const { providers, exceptProviders, members, filters } = page.rows
  if (members?.length === 0) return { prices: Buffer.alloc(0), complete: true }
  const [row] = await sql`
    select prices, rows_found, has_history_until(${page.asOf}, ${page.timeline ?? null}::uuid)
    from history_rows(
      ${page.asOf}, ${page.after}, ${page.limit + 1}::int,
      ${providers ?? null}::text[], ${exceptProviders ?? null}::text[],
      ${members?.map(({ provider }) => provider) ?? null}::text[],
      ${members?.map(({ resource }) => resource) ?? null}::text[],
      ${filters.resources ?? null}::text[], ${filters.canonicalResources ?? null}::text[],
      ${filters.dimensions ?? null}::text[], ${filters.current ?? false},
      ${page.include?.includes('confirmation') ?? false}, ${filters.confirmed ?? null}::text)`.raw()
  const [texts, found, complete] = row as [Buffer, Buffer, Buffer]
  return {
    ...pageOf(texts, Number(found.toString()), page.limit),
    complete: complete.toString() === 't',
  }
}

/** Selects the condition that the rows of a scope meet. */
function conditionOf(sql: Sql, { providers, exceptProviders, members, filters }: RowScope) {
  return sql`rows_condition(
    ${providers ?? null}::text[], ${exceptProviders ?? null}::text[],
    ${members?.map(({ provider }) => provider) ?? null}::text[],
    ${members?.map(({ resource }) => resource) ?? null}::text[],
    ${filters.resources ?? null}::text[], ${filters.canonicalResources ?? null}::text[],
    ${filters.dimensions ?? null}::text[])`
}

const isByName = ({ members, filters }: RowScope): boolean =>
  (members ?? filters.resources ?? filters.canonicalResources) !== undefined

/** The rows of a scope at two closed instants. Its providers may differ between them. */
type HistoryChanges = {
  asOf: Instant
  since: Instant
  rows: RowScope
  before: RowScope
  entered: string[]
  departed: string[]
  after: string
  limit: number
  timeline?: string
}

/** Reads one page of what differs between two closed instants. */
export async function historyChanges(sql: Sql, page: HistoryChanges): Promise<HistoryPage> {
  const { asOf, since, rows, before, entered, departed, after, limit } = page
  const [row] = await sql`
    select prices, unpublished, last_hash, rows_found, has_history_until(${asOf}, ${page.timeline ?? null}::uuid)
    from history_changes(
      ${asOf}, ${since}, ${after}, ${limit + 1}::int, ${conditionOf(sql, rows)}, ${conditionOf(sql, before)},
      ${entered}::text[], ${departed}::text[], ${rows.providers ?? null}::text[], ${isByName(rows)})`.raw()
  const [prices, unpublished, lastHash, found, complete] = row as [Buffer, Buffer, Buffer | null, Buffer, Buffer]
  return {
    prices,
    unpublished: JSON.parse(unpublished.toString()),
    next: Number(found.toString()) > limit ? lastHash!.toString() : undefined,
    complete: complete.toString() === 't',
  }
}
