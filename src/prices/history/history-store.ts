import { looksLikeGroupId } from '../../aliases/group-rules.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { AS_OF_DELAY_MS, pageOf } from './history-rules.ts'
import type { HistoryScope, RowScope } from './scope-rules.ts'

/** What is looked up for a request. `alias` is a group's id or name. */
export type ScopeRequest = { asOf?: Instant; providers: string[]; alias?: string }

/** Looks up everything a page's request refers to, in one statement and one snapshot. */
export async function historyScope(sql: Sql, request: ScopeRequest): Promise<HistoryScope> {
  const id = request.alias !== undefined && looksLikeGroupId(request.alias) ? request.alias : null
  const name = request.alias !== undefined && id === null ? request.alias : null
  const [scope] = await sql<(Omit<HistoryScope, 'group'> & { group: HistoryScope['group'] | null })[]>`
    with clock as (
      select date_trunc('milliseconds', clock_timestamp() - ${`${AS_OF_DELAY_MS} ms`}::interval) as newest
    ), instant as (
      select newest, coalesce(${request.asOf ?? null}::timestamptz, newest) as as_of from clock
    ), pricing as (
      select distinct on (p.provider) p.provider, p.in_credits, p.in_usd
      from provider_pricing p, instant where p.at <= as_of order by p.provider, p.at desc
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
      array(select provider from pricing where in_credits) as "creditProviders",
      case when ${request.alias === undefined} then '{}' else array(
        select p.provider from pricing p
        where p.in_usd and not p.in_credits and 'active' = (
          select s.status from provider_status s where s.provider = p.provider and s.at <= as_of order by s.at desc limit 1)
      ) end as "usualProviders"
    from instant`
  const { group, ...rest } = scope!
  return { ...rest, group: group ?? undefined }
}

/** A page as it goes out: the rows' JSON texts joined by commas, never parsed again; `next` when there are more. */
export type HistoryPage = { prices: Buffer; next?: string }

/** Reads one page at a closed instant. */
export async function historyPage(
  sql: Sql,
  page: { asOf: Instant; rows: RowScope; after: string; limit: number },
): Promise<HistoryPage> {
  const { providers, exceptProviders, members } = page.rows
  if (members?.length === 0) return { prices: Buffer.alloc(0) }
  const [row] = await sql`
    select prices, rows_found from history_page(
      ${page.asOf}, ${page.after}, ${page.limit + 1}::int,
      ${providers ?? null}::text[], ${exceptProviders ?? null}::text[],
      ${members?.map(({ provider }) => provider) ?? null}::text[],
      ${members?.map(({ resource }) => resource) ?? null}::text[],
      null::text[], null::text[], null::text[], false)`.raw()
  const [texts, found] = row as [Buffer, Buffer]
  return pageOf(texts, Number(found.toString()), page.limit)
}
