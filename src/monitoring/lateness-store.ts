import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'

/** What waits longest: since when, by the database. */
export type Waiting = {
  /** When the change became eligible whose first attempt has not been made. */
  change?: Instant
  /** When the retry or resend was due that has not been made. */
  retry?: Instant
}

/**
 * Of the deliveries that are due longest, this many are looked at: what waits may be a million. The instant is compared
 * afterwards: as a condition it makes PostgreSQL sort everything while its statistics are older than what waits.
 */
const LOOKED_AT = 200

/**
 * Returns what waits longest of active webhooks, and of the changes that were not matched with webhooks yet. Looks at the
 * beginning of two indexes, so it takes no longer when more waits.
 */
export async function longestWaiting(db: Db): Promise<Waiting> {
  const [row] = await db<{ change: Instant | null; retry: Instant | null }[]>`
    with oldest as materialized (
      select webhook_id, event_id, due_at, cycle = 1 and attempts = 0 as first
      from delivery
      where status = 'pending' and claimed_at is null
      order by due_at
      limit ${LOOKED_AT}
    ),
    sendable as (
      select first, due_at, eligible_at
      from oldest join webhook using (webhook_id) join event using (event_id)
      where state = 'active' and due_at <= clock_timestamp()
    )
    select least((select min(eligible_at) from sendable where first),
                 (select eligible_at from event where matched_at is null order by seq limit 1)) as change,
           (select min(due_at) from sendable where not first) as retry`
  return { ...(row?.change && { change: row.change }), ...(row?.retry && { retry: row.retry }) }
}

/** Returns for how many seconds the delivery has been due that waits longest, of an active webhook; 0 when none is due. */
export async function oldestDueSeconds(db: Db): Promise<number> {
  const [row] = await db<{ seconds: number }[]>`
    with oldest as materialized (
      select webhook_id, due_at from delivery
      where status = 'pending' and claimed_at is null
      order by due_at
      limit ${LOOKED_AT}
    )
    select coalesce(extract(epoch from max(clock_timestamp() - due_at)), 0)::float8 as seconds
    from oldest join webhook using (webhook_id) where state = 'active' and due_at <= clock_timestamp()`
  return row!.seconds
}
