import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { MAX_RESENT_ON_RESUME } from '../attempts/delivery-rules.ts'

export async function workspaceOf(db: Db, webhookId: string): Promise<string> {
  const [row] = await db<{ workspaceId: string }[]>`
    select workspace_id as "workspaceId" from webhook where webhook_id = ${webhookId}`
  return row?.workspaceId ?? ''
}

/** Locks a webhook; answers whether it is paused, or undefined when the workspace has none of this id. */
export async function lockState(tx: Tx, workspaceId: string, webhookId: string): Promise<boolean | undefined> {
  const [row] = await tx<{ paused: boolean }[]>`
    select state = 'paused' as paused from webhook
    where webhook_id = ${webhookId} and workspace_id = ${workspaceId}
    for update`
  return row?.paused
}

export async function setPaused(tx: Tx, webhookId: string, reason: string, now: Instant): Promise<void> {
  await tx`
    update webhook set state = 'paused', paused_at = ${now}, paused_reason = ${reason}, updated_at = ${now}
    where webhook_id = ${webhookId}`
}

/** Active again, with no failures counted: the next pause takes a new streak. */
export async function setActive(tx: Tx, webhookId: string, now: Instant): Promise<void> {
  await tx`
    update webhook
    set state = 'active', paused_at = null, paused_reason = null, failures_in_row = 0, first_failure_at = null,
        updated_at = ${now}
    where webhook_id = ${webhookId}`
}

/** Starts the newest 1,000 deliveries that were not sent while paused again, all six attempts. Answers how many. */
export async function restartUnsent(tx: Tx, webhookId: string, now: Instant): Promise<number> {
  const rows = await tx`
    update delivery
    set status = 'pending', not_sent = null, cycle = cycle + 1, attempts = 0, faults = 0, due_at = ${now},
        settled_at = null, error = null
    where delivery_id in (
      select delivery_id from delivery where webhook_id = ${webhookId} and not_sent = 'paused'
      order by created_at desc, delivery_id desc limit ${MAX_RESENT_ON_RESUME})
    returning 1`
  return rows.length
}

/** Starts one delivery again, whatever it is: all six attempts, the same event and body. */
export async function restartDelivery(tx: Tx, webhookId: string, deliveryId: string, now: Instant): Promise<boolean> {
  const rows = await tx`
    update delivery
    set status = 'pending', not_sent = null, cycle = cycle + 1, attempts = 0, faults = 0, due_at = ${now},
        claimed_at = null, settled_at = null, error = null
    where delivery_id = ${deliveryId} and webhook_id = ${webhookId}
    returning 1`
  return rows.length > 0
}

/**
 * Deletes a webhook, its log and its pending deliveries. Notices for the workflows of those stay behind until they are
 * passed on.
 */
export async function removeWebhook(tx: Tx, webhookId: string, now: Instant): Promise<void> {
  await tx`
    insert into delivery_notice (delivery_id, webhook_id, what, created_at)
    select delivery_id, webhook_id, 'the webhook was deleted', ${now}
    from delivery where webhook_id = ${webhookId} and status = 'pending' and started_cycle > 0
    on conflict (delivery_id) do update set what = excluded.what, created_at = excluded.created_at`
  await tx`delete from webhook where webhook_id = ${webhookId}`
}
