import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql } from '../../lib/sql.ts'
import type { AttemptKey } from '../workflow-schema.ts'
import type { DeliveryLabel } from './label-rules.ts'
import { type LabelRow, labelOf, labelsOfChanged } from './label-store.ts'

/**
 * Notes which Temporal namespace runs the workflows. When its id is another than before, the store was lost: no
 * pending delivery has a workflow any more. Returns whether that was so.
 */
export async function noteNamespace(sql: Sql, namespaceId: string): Promise<boolean> {
  return (await sql.begin(async (tx) => {
    const [store] = await tx<{ namespaceId: string | null }[]>`
      select namespace_id as "namespaceId" from temporal_store for update`
    if (store?.namespaceId === namespaceId) return false
    await tx`update temporal_store set namespace_id = ${namespaceId}`
    if (!store?.namespaceId) return false
    await tx`
      update delivery set started_cycle = 0
      where delivery_id = any(array(
        select delivery_id from delivery where status = 'pending' and started_cycle > 0
        order by delivery_id for no key update))`
    return true
  })) as boolean
}

/** Attempts that began before `before`, as their claims did, and were never closed: their worker is gone. */
export async function abandonedAttempts(db: Db, before: Instant, limit: number): Promise<AttemptKey[]> {
  return db<AttemptKey[]>`
    select d.delivery_id as "deliveryId", a.cycle, a.number, a.run
    from delivery d
    join attempt a on a.delivery_id = d.delivery_id and a.cycle = d.cycle and a.number = d.attempts + 1
                  and a.run = d.faults + 1
    where d.claimed_at < ${before} and a.started_at < ${before} and d.status = 'pending' and a.outcome is null
    limit ${limit}`
}

/** Gives back claims older than `before` whose attempt was never opened: due again, nothing used up. */
export async function releaseClaims(db: Db, before: Instant): Promise<number> {
  const rows = await db`
    update delivery d set claimed_at = null
    where delivery_id = any(array(
        select delivery_id from delivery where claimed_at < ${before} for no key update skip locked))
      and claimed_at < ${before}
      and (select true from attempt a
           where a.delivery_id = d.delivery_id and a.cycle = d.cycle and a.number = d.attempts + 1
             and a.run = d.faults + 1 and a.outcome is null limit 1) is null
    returning 1`
  return rows.length
}

/** Deliveries that wait for a retry without a workflow of their cycle, soonest due first; marks them as started. */
export async function takeWaiting(db: Db, now: Instant, limit: number): Promise<DeliveryLabel[]> {
  const rows = await db<LabelRow[]>`
    with changed as (
      update delivery set started_cycle = cycle
      where delivery_id = any(array(
        select delivery_id from delivery
        where status = 'pending' and claimed_at is null and started_cycle < cycle and attempts > 0 and due_at > ${now}
        order by due_at limit ${limit} for no key update skip locked))
      returning *
    )
    ${labelsOfChanged(db)}`
  return rows.map(labelOf)
}
