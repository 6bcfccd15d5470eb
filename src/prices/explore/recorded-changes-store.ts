import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../../lib/sql.ts'
import type { ChangeFilter, RecordedChange } from './recorded-changes-rules.ts'

/**
 * Prices that began, the newest first, each with what it follows: the price of its line, or that of the source before.
 * Those that history begins with are not changes.
 */
export const begunPrices = (sql: Sql, filter: ChangeFilter, limit: number): Promise<RecordedChange[]> =>
  sql<RecordedChange[]>`
    select b.published_at as at, b.provider, b.resource, b.content_hash as hash, f.body::jsonb as previous,
           b.body::jsonb as current, false as "isReported",
           f.body is null and not exists (
             select from publication q
             where q.resource = b.resource and q.provider = b.provider and q.published_at < b.published_at) as "isWhole"
    from (
      select * from publication
      where published_at > (select min(published_at) from publication) and ${wanted(sql, sql`published_at`, filter)}
      order by published_at desc, provider collate "C", resource collate "C", content_hash limit ${limit}) as b
    left join lateral (
      select body from publication q
      where q.line_id = b.line_id and q.recorded_at < b.recorded_at and q.published_at < b.published_at
        and (q.unpublished_at is null or q.unpublished_at >= b.published_at)
        or q.resource = b.resource and q.provider = b.provider and q.dimension = b.dimension and q.line_id <> b.line_id
        and q.unpublished_at = b.published_at and q.body::jsonb -> 'pricingTier' = b.body::jsonb -> 'pricingTier'
      order by q.line_id = b.line_id desc, q.recorded_at desc limit 1) as f on true
    order by b.published_at desc, b.provider collate "C", b.resource collate "C", b.content_hash`

/**
 * Prices that ended, the newest first, each with the earlier price of its line that holds again, where one does.
 * `isReported`: a newer price had taken its place before, or another source goes on with it.
 */
export const endedPrices = (sql: Sql, filter: ChangeFilter, limit: number): Promise<RecordedChange[]> =>
  sql<RecordedChange[]>`
    select e.unpublished_at as at, e.provider, e.resource, e.content_hash as hash, e.body::jsonb as previous,
           f.body::jsonb as current,
           exists (
               select from publication q
               where q.line_id = e.line_id and q.recorded_at > e.recorded_at and q.published_at <= e.unpublished_at)
             or exists (
               select from publication q
               where q.resource = e.resource and q.provider = e.provider and q.dimension = e.dimension
                 and q.published_at = e.unpublished_at
                 and q.body::jsonb -> 'pricingTier' = e.body::jsonb -> 'pricingTier') as "isReported",
           not exists (
             select from publication q
             where q.resource = e.resource and q.provider = e.provider and q.published_at <= e.unpublished_at
               and (q.unpublished_at is null or q.unpublished_at > e.unpublished_at)) as "isWhole"
    from (
      select * from publication
      where unpublished_at is not null and ${wanted(sql, sql`unpublished_at`, filter)}
      order by unpublished_at desc, provider collate "C", resource collate "C", content_hash limit ${limit}) as e
    left join lateral (
      select body from publication q
      where q.line_id = e.line_id and q.recorded_at < e.recorded_at
        and (q.unpublished_at is null or q.unpublished_at > e.unpublished_at)
      order by q.recorded_at desc limit 1) as f on true
    order by e.unpublished_at desc, e.provider collate "C", e.resource collate "C", e.content_hash`

const wanted = (sql: Sql, at: PendingQuery<Row[]>, { before, after, providers }: ChangeFilter) => sql`
  ${at} < ${before}
  ${
    after
      ? sql`and (${at} < ${after.at} or (${at} = ${after.at}
          and (provider collate "C", resource collate "C", content_hash) > (${after.provider}, ${after.resource}, ${after.hash})))`
      : sql``
  }
  ${providers ? sql`and provider = any (${providers})` : sql``}`
