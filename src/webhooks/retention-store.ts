import { type Instant, plus } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { LOG_KEPT_MS, TEST_EVENT } from './delivery-rules.ts'

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

/** Deletes test events that no delivery needs any more. */
export async function deleteOldTestEvents(db: Db, now: Instant): Promise<number> {
  const rows = await db`
    delete from event e
    where type = ${TEST_EVENT} and eligible_at <= ${plus(now, -LOG_KEPT_MS)}
      and not exists (select from delivery d where d.event_id = e.event_id)
    returning 1`
  return rows.length
}
