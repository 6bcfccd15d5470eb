import type { Sql } from '../lib/sql.ts'
import type { FeedEvent, FeedFilter } from './feed-schema.ts'
import { OPT_IN_EVENT_TYPES } from './schema.ts'

/**
 * Returns events from the newest on. Price lines and differences, which may be megabytes, stay in the database. Tests of
 * webhooks are not changes.
 */
export async function feedPage(sql: Sql, filter: FeedFilter): Promise<FeedEvent[]> {
  const { types, providers, resource, direction, minSignificance, asOf, before, limit } = filter
  const rows = await sql<Row[]>`
    select ${columns(sql)} from event
    where provider is not null and type <> 'webhook.test'
      ${types ? sql`and type = any (${types})` : sql`and type <> all (${OPT_IN_EVENT_TYPES})`}
      ${providers ? sql`and provider = any (${providers})` : sql``}
      ${resource === undefined ? sql`` : sql`and resources @> array[${resource}]`}
      ${direction ? sql`and direction = ${direction}` : sql``}
      ${minSignificance ? sql`and (significance is null or significance >= ${minSignificance})` : sql``}
      ${asOf ? sql`and eligible_at <= ${asOf}` : sql``}
      ${before ? sql`and seq < ${before}::bigint` : sql``}
    order by seq desc limit ${limit}`
  return rows.map(eventOf)
}

/** The events of these numbers that are still kept, in their order. */
export async function feedEvents(sql: Sql, seqs: string[]): Promise<FeedEvent[]> {
  const rows = await sql<Row[]>`select ${columns(sql)} from event where seq = any(${seqs}::bigint[]) order by seq`
  return rows.map(eventOf)
}

type Row = FeedEvent & { direction: FeedEvent['direction'] | null; lines: number | null }

const columns = (sql: Sql) => sql`
  seq, event_id as id, type, provider, eligible_at as at, direction,
  body::jsonb #- '{lines}' #- '{diff}' #- '{summary,sections}' #- '{summary,rows}' as body,
  case when type in ('resource.added', 'resource.removed', 'resource.renamed', 'alias.member_added')
    then jsonb_array_length(coalesce(body::jsonb -> 'lines', '[]')) end as lines`

const eventOf = (row: Row): FeedEvent => ({
  ...row,
  direction: row.direction ?? undefined,
  lines: row.lines ?? undefined,
})
