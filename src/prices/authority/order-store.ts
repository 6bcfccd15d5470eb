import type { PendingQuery, Row } from 'postgres'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** A resource that its source lost for longer than this is open to the next source. */
const LOST_AFTER_HOURS = 24

export const COMMUNITY = 2

/** Selects the rank of a source for a provider: where it does not speak for it, it is a list like others. */
export const rankOf = (db: Db, source: string, provider: PendingQuery<Row[]>) => db`
  case when ${db(source)}.speaks_for is null or ${provider} = any(${db(source)}.speaks_for) then ${db(source)}.rank
       else ${COMMUNITY} end`

/** Selects whether one source stands before another for a provider. One that is not declared stands behind all others. */
export const standsBefore = (db: Db, one: string, other: string, provider: PendingQuery<Row[]>) => db`
  case when ${db(one)}.declared <> ${db(other)}.declared then ${db(one)}.declared
       else ${rankOf(db, one, provider)} < ${rankOf(db, other, provider)}
         or ${rankOf(db, one, provider)} = ${rankOf(db, other, provider)}
            and coalesce(${db(one)}.position < ${db(other)}.position, false) end`

/** Selects whether a source was read lately enough to decide. */
export const isRead = (db: Db, source: string, now: Instant) => db`
  (${db(source)}.declared and greatest(${db(source)}.last_good_at, ${db(source)}.ingested_at)
     > ${now}::timestamptz - make_interval(secs => ${db(source)}.stale_after_seconds))`

/** Selects whether the source of a listed resource still lists it. */
export const isStillListed = (db: Db, now: Instant) => db`
  exists (select from price_line l
          where (l.source, l.provider, l.resource) = (r.source, r.provider, r.resource)
            and l.current_hash is not null and l.removed_at is null
            and (l.missing_since is null
                 or l.missing_since > ${now}::timestamptz - make_interval(hours => ${LOST_AFTER_HOURS})))`
