import { type Instant, plus } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'

/**
 * Deletes deliveries whose last attempt and last resend are 30 days old, with their attempts. One that was never
 * attempted counts from when it failed. A pending delivery is never deleted. At most `limit` at once; returns how many.
 */
export async function deleteOldDeliveries(db: Db, now: Instant, limit: number): Promise<number> {
  const cutoff = plus(now, -LOG_KEPT_MS)
  const rows = await db`
    delete from delivery
    where delivery_id in (
      select delivery_id from delivery
      where created_at <= ${cutoff} and status <> 'pending' and greatest(coalesce(last_attempt_at, finished_at), resent_at) <= ${cutoff}
      limit ${limit} for update skip locked)
    returning 1`
  return rows.length
}

/** Events older than the log that were matched with every webhook and belong to no delivery any more; oldest first. */
export async function unusedEvents(db: Db, now: Instant, limit: number): Promise<string[]> {
  const rows = await db<{ seq: string }[]>`
    select seq from event e
    where eligible_at <= ${plus(now, -LOG_KEPT_MS)} and matched_at is not null
      and not exists (select from delivery d where d.event_id = e.event_id)
    order by seq limit ${limit}`
  return rows.map((row) => row.seq)
}
