import type { PendingQuery, Row } from 'postgres'
import { SECOND } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { STALE_AFTER_INTERVALS, STALE_AFTER_MS } from './source-rules.ts'

/** Selects whether a source is served for a provider that it names, by lines of which `condition` is true. */
const serves = (db: Db, condition: PendingQuery<Row[]>) => db`
  exists (select from price_line l
          where l.source = named.source and l.provider = named.provider and l.current_hash is not null
            and l.removed_at is null and ${condition})`

/**
 * Selects how fresh the prices of each provider are, and when they were last checked. They are fresh when each source that
 * is served for them was read well lately and still lists some of them, and `unknown` where none was ever read. Where
 * nothing is served, any source that names the provider counts.
 */
export const freshnessByProvider = (db: Db): PendingQuery<Row[]> => db`
  with named as (
    select provider, source, last_checked_at, last_good_at,
      declared and coalesce(last_good_at > clock_timestamp() - greatest(
        make_interval(secs => ${STALE_AFTER_MS / SECOND}),
        make_interval(secs => interval_seconds * ${STALE_AFTER_INTERVALS}::float8)), false) as was_read
    from source_provider join source using (source)
    where kind = 'prices' and ended_at is null
  ), counted as (
    select *, ${serves(db, db`true`)} as serves, ${serves(db, db`l.missing_since is null`)} as lists from named
  ), by_provider as (
    select *, bool_or(serves) over (partition by provider) as is_served from counted
  )
  select provider, max(last_checked_at) as last_checked_at,
    case
      when bool_and(is_served and was_read and lists) or bool_or(not is_served and was_read) then 'fresh'
      when bool_or(last_good_at is not null) then 'stale'
      else 'unknown' end as freshness
  from by_provider where serves or not is_served
  group by provider`
