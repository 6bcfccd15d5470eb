import type { PendingQuery, Row } from 'postgres'
import { SECOND } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { STALE_AFTER_INTERVALS, STALE_AFTER_MS } from './source-rules.ts'

/** Selects how fresh the prices of each provider are, and when they were last checked; `unknown` where none was ever read. */
export const freshnessByProvider = (db: Db): PendingQuery<Row[]> => db`
  select sp.provider, max(s.last_checked_at) as last_checked_at,
    case
      when bool_or(s.declared and s.last_good_at > clock_timestamp() - greatest(
        make_interval(secs => ${STALE_AFTER_MS / SECOND}),
        make_interval(secs => s.interval_seconds * ${STALE_AFTER_INTERVALS}::float8))) then 'fresh'
      when bool_or(s.last_good_at is not null) then 'stale'
      else 'unknown' end as freshness
  from source_provider sp join source s using (source)
  where s.kind = 'prices' and s.ended_at is null
  group by sp.provider`
