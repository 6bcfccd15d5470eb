import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { NOT_SENT_WHILE_PAUSED } from '../attempts/delivery-rules.ts'

/** Paused webhooks of these slices that have deliveries due and unclaimed. */
export async function pausedWithDue(db: Db, now: Instant, slices: number[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select webhook_id as id from webhook w
    where state = 'paused' and (uuid_hash(workspace_id) & 255) = any(${slices}::integer[]) and exists (
      select from delivery d
      where d.webhook_id = w.webhook_id and d.status = 'pending' and d.claimed_at is null and d.due_at <= ${now})
    order by webhook_id`
  return rows.map((row) => row.id)
}

/**
 * Fails the next due deliveries of a webhook that is still paused: they are not sent. Leaves a notice for workflows
 * that wait for one. One statement, under the webhook's lock. Returns how many; at most `limit`.
 */
export async function failPausedDue(db: Db, webhookId: string, now: Instant, limit: number): Promise<number> {
  const rows = await db`
    with hook as materialized (
      select webhook_id from webhook where webhook_id = ${webhookId} and state = 'paused' for no key update
    ), due as materialized (
      select delivery_id from delivery
      where webhook_id = (select webhook_id from hook) and status = 'pending' and claimed_at is null and due_at <= ${now}
      order by due_at, delivery_id
      limit ${limit}
      for no key update skip locked
    ), failed as (
      update delivery d
      set status = 'failed', not_sent = 'paused', due_at = null, finished_at = ${now}, error = ${NOT_SENT_WHILE_PAUSED}
      where delivery_id = any(array(select delivery_id from due))
      returning d.delivery_id, d.webhook_id, d.event_id, d.workflow_id, d.started_cycle
    ), noticed as (
      insert into delivery_notice (delivery_id, webhook_id, what, created_at, event_type, workflow_id)
      select f.delivery_id, f.webhook_id, 'due while the webhook is paused', ${now},
             (select type from event e where e.event_id = f.event_id), f.workflow_id
      from failed f
      where f.started_cycle > 0
      order by f.delivery_id
      on conflict (delivery_id) do update set what = excluded.what, created_at = excluded.created_at
    )
    select 1 from failed`
  return rows.length
}
