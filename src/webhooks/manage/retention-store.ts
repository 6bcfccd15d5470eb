import { type Instant, plus } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'

/**
 * Deletes deliveries whose last attempt is 30 days old, with their attempts; one that was never attempted counts from
 * when it was settled. A pending delivery is never deleted. At most `limit` at once; answers how many.
 */
export async function deleteOldDeliveries(db: Db, now: Instant, limit: number): Promise<number> {
  const cutoff = plus(now, -LOG_KEPT_MS)
  const rows = await db`
    delete from delivery
    where delivery_id in (
      select delivery_id from delivery
      where created_at <= ${cutoff} and status <> 'pending' and coalesce(last_attempt_at, settled_at) <= ${cutoff}
      limit ${limit} for update skip locked)
    returning 1`
  return rows.length
}

/**
 * Deletes events older than the log that were matched with every webhook and belong to no delivery any more. Prices,
 * documents and their history are never read from events. At most `limit` at once; answers how many.
 */
export async function deleteOldEvents(db: Db, now: Instant, limit: number): Promise<number> {
  const rows = await db`
    delete from event
    where seq in (
      select seq from event e
      where eligible_at <= ${plus(now, -LOG_KEPT_MS)} and matched_at is not null
        and not exists (select from delivery d where d.event_id = e.event_id)
      order by seq limit ${limit} for update skip locked)
    returning 1`
  return rows.length
}
