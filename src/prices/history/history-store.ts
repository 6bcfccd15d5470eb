import { looksLikeGroupId, type Member } from '../../aliases/group-rules.ts'
import { closeInstant } from '../../catalog/close-instant.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { AS_OF_DELAY_MS, pageOf } from './history-rules.ts'

type HistoryGroup = { id: string; name: string; revision: number; members: Member[] }

/** What a page's request refers to, as it is now. */
export type HistoryScope = {
  /** The newest instant that may be read, by the database's clock. */
  newest: Instant
  /** The instant read at: the one asked for, else the newest. */
  asOf: Instant
  /** Nothing can be recorded at or before asOf any more. */
  closed: boolean
  unknownProviders: string[]
  /** Absent when none was asked for, or when there is none of that id or name. */
  group?: HistoryGroup
  /** The providers that were active at asOf and price in money: whose rows a group without named providers shows. */
  usualProviders: string[]
}

type ScopeAsked = { asOf?: Instant; providers: string[]; alias?: string }

/** Looks up everything a page's request refers to, in one statement and one snapshot. */
export async function historyScope(sql: Sql, asked: ScopeAsked): Promise<HistoryScope> {
  const id = asked.alias !== undefined && looksLikeGroupId(asked.alias) ? asked.alias : null
  const name = asked.alias !== undefined && id === null ? asked.alias : null
  const [scope] = await sql<(Omit<HistoryScope, 'group'> & { group: HistoryGroup | null })[]>`
    with clock as (
      select date_trunc('milliseconds', clock_timestamp() - ${`${AS_OF_DELAY_MS} ms`}::interval) as newest
    ), instant as (
      select newest, coalesce(${asked.asOf ?? null}::timestamptz, newest) as as_of from clock
    )
    select newest, as_of as "asOf",
      (select last_stamp >= as_of from publication_clock) as closed,
      array(
        select n from unnest(${asked.providers}::text[]) as n where not exists (select from provider where provider = n)
      ) as "unknownProviders",
      (select json_build_object('id', g.group_id, 'name', g.name, 'revision', g.revision, 'members', coalesce((
           select json_agg(json_build_object('provider', m.provider, 'resource', m.resource)
                           order by m.provider collate "C", m.resource collate "C")
           from alias_member m where m.group_id = g.group_id and m.left_at is null), '[]'))
       from alias_group g
       where g.deleted_at is null and (g.group_id = ${id}::uuid or lower(g.name) = lower(btrim(${name}::text)))
      ) as "group",
      case when ${asked.alias === undefined} then '{}' else array(
        select p.provider from provider p
        where not p.credit_priced and 'active' = (
          select s.status from provider_status s where s.provider = p.provider and s.at <= as_of order by s.at desc limit 1)
      ) end as "usualProviders"
    from instant`
  const { group, ...rest } = scope!
  return { ...rest, group: group ?? undefined }
}

/**
 * The scope once its instant is closed, so that an answer never changes: closed before anything of the answer is
 * read, and which providers were active is part of it.
 */
export async function closedScope(sql: Sql, asked: ScopeAsked, found: HistoryScope): Promise<HistoryScope> {
  if (found.closed) return found
  await closeInstant(sql, found.asOf)
  return historyScope(sql, { ...asked, asOf: found.asOf })
}

/** Rows of whole providers, or exact resources of them. */
export type Slice = { provider: string; resource?: string }

/** A page as it goes out: the rows' JSON texts joined by commas, never parsed again; `next` when there are more. */
export type HistoryPage = { prices: Buffer; next?: string }

/** Reads one page at a closed instant. `slices` absent means every provider that does not price in credits. */
export async function historyPage(
  sql: Sql,
  page: { asOf: Instant; slices?: Slice[]; after: string; limit: number },
): Promise<HistoryPage> {
  if (page.slices?.length === 0) return { prices: Buffer.alloc(0) }
  const [row] = await sql`
    select prices, rows_found from history_page(
      ${page.slices?.map((slice) => slice.provider) ?? null}::text[],
      ${page.slices?.map((slice) => slice.resource ?? null) ?? null}::text[],
      ${page.asOf}, ${page.after}, ${page.limit + 1}::int)`.raw()
  const [texts, found] = row as [Buffer, Buffer]
  return pageOf(texts, Number(found.toString()), page.limit)
}
