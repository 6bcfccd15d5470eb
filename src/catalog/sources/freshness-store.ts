import type { PendingQuery, Row } from 'postgres'
import { SECOND } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { STALE_AFTER_INTERVALS, STALE_AFTER_MS } from './source-rules.ts'

/** Selects the lines that a source is served for at a provider. */
const servedLines = (db: Db) => db`
  from price_line l
  where l.source = named.source and l.provider = named.provider and l.current_hash is not null and l.removed_at is null`

/** Selects how many lines each source is served for without saying so still, or contradicted. */
const doubtedLines = (db: Db) => db`
  select l.source, l.provider, count(*) as lines
  from (select line_id from unsaid_line union select line_id from contradicted_line) d join price_line l using (line_id)
  where l.current_hash is not null and l.removed_at is null
  group by 1, 2`

/**
 * Selects how fresh the prices of each provider are, when they were last checked, and when all of them were last confirmed.
 * They are fresh when each source that is served for them was read well lately and still says at least half of them, and
 * `unknown` where none was ever read. Where nothing is served, any source that names the provider counts.
 */
export const freshnessByProvider = (db: Db): PendingQuery<Row[]> => db`
  with doubted as materialized (${doubtedLines(db)}), named as (
    select provider, source, last_checked_at, last_good_at,
      declared and coalesce(last_good_at > clock_timestamp() - greatest(
        make_interval(secs => ${STALE_AFTER_MS / SECOND}),
        make_interval(secs => interval_seconds * ${STALE_AFTER_INTERVALS}::float8)), false) as was_read
    from source_provider join source using (source)
    where kind = 'prices' and ended_at is null
  ), counted as (
    select named.*, exists (select ${servedLines(db)}) as serves,
           -- No more lines are counted than it takes: there are twice as many as are in doubt.
           coalesce(d.lines, 0) = 0 or exists (select ${servedLines(db)} offset 2 * d.lines - 1) as confirms
    from named left join doubted d using (source, provider)
  ), by_provider as (
    select *, bool_or(serves) over (partition by provider) as is_served from counted
  )
  select provider, max(last_checked_at) as last_checked_at,
    case when bool_and(is_served) and bool_and(last_good_at is not null) then min(last_good_at) end as confirmed_at,
    case
      when bool_and(is_served and was_read and confirms) or bool_or(not is_served and was_read) then 'fresh'
      when bool_or(last_good_at is not null) then 'stale'
      else 'unknown' end as freshness
  from by_provider where serves or not is_served
  group by provider`
