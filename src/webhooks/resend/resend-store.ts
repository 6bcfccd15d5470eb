import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { MAX_RESENT_AT_ONCE } from '../attempts/delivery-rules.ts'
import { deliveriesWithEvents, meets } from '../log/delivery-filter-store.ts'
import type { DeliveryFilter } from '../log/delivery-schema.ts'
import { isKept } from '../retention/retention-store.ts'

/** A new cycle of six attempts of the same event and body, due at once. The 30 days of the log start again. */
const startedAgain = (db: Db, now: Instant) => db`
  status = 'pending', not_sent = null, cycle = cycle + 1, attempts = 0, faults = 0, due_at = ${now},
  claimed_at = null, finished_at = null, error = null, resent_at = ${now}`

/**
 * Restarts the newest 1,000 deliveries that failed, or were not sent, and meet a filter. The caller holds the webhook's
 * lock. Returns how many.
 */
export async function restartFailed(tx: Tx, webhookId: string, filter: DeliveryFilter, now: Instant): Promise<number> {
  const rows = await tx`
    with locked as materialized (
      select delivery_id from delivery
      where delivery_id = any(array(
        select d.delivery_id from ${deliveriesWithEvents(tx)}
        where d.webhook_id = ${webhookId} and d.status = 'failed' and ${isKept(tx, now)} and ${meets(tx, filter)}
        order by d.created_at desc, d.delivery_id desc limit ${MAX_RESENT_AT_ONCE}))
      order by delivery_id for no key update
    )
    update delivery set ${startedAgain(tx, now)}
    where delivery_id = any(array(select delivery_id from locked)) and status = 'failed'
    returning 1`
  return rows.length
}

/** Counts the deliveries of a webhook that are due and not under way: at most 1,000. */
export async function countDue(tx: Tx, webhookId: string, now: Instant): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from (
      select from delivery
      where webhook_id = ${webhookId} and status = 'pending' and claimed_at is null and due_at <= ${now}
      limit ${MAX_RESENT_AT_ONCE}) due`
  return row!.count
}

/**
 * Restarts one delivery that the log still has, whatever its status: all six attempts, the same event and body. The
 * caller holds the webhook's lock. Returns whether there is one.
 */
export async function restartDelivery(tx: Tx, webhookId: string, deliveryId: string, now: Instant): Promise<boolean> {
  const rows = await tx`
    update delivery set ${startedAgain(tx, now)}
    where delivery_id = ${deliveryId} and webhook_id = ${webhookId} and ${isKept(tx, now)}
    returning 1`
  return rows.length > 0
}
