import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { WebhookRef } from '../schema.ts'

export type LockedState = { name: string; paused: boolean }

/** Locks a webhook and returns its state. Undefined when the workspace has none of this id. */
export async function lockState(tx: Tx, { workspaceId, id }: WebhookRef): Promise<LockedState | undefined> {
  const [row] = await tx<LockedState[]>`
    select name, state = 'paused' as paused from webhook
    where webhook_id = ${id} and workspace_id = ${workspaceId}
    for no key update`
  return row
}

/** Locks a webhook that will be deleted, and all of its deliveries. Returns whether the workspace has it. */
export async function lockForDeletion(tx: Tx, { workspaceId, id }: WebhookRef): Promise<LockedState | undefined> {
  const [row] = await tx<LockedState[]>`
    select name, state = 'paused' as paused from webhook
    where webhook_id = ${id} and workspace_id = ${workspaceId}
    for update`
  if (row) await tx`select from delivery where webhook_id = ${id} order by delivery_id for update`
  return row
}

export async function setPaused(tx: Tx, webhookId: string, reason: string, now: Instant): Promise<void> {
  await tx`
    update webhook set state = 'paused', paused_at = ${now}, paused_reason = ${reason}, updated_at = ${now}
    where webhook_id = ${webhookId}`
}

/** Active again. The failures in a row stay counted: a success or another URL ends them, and nothing else. */
export async function setActive(tx: Tx, webhookId: string, now: Instant): Promise<void> {
  await tx`
    update webhook
    set state = 'active', paused_at = null, paused_reason = null, updated_at = ${now}
    where webhook_id = ${webhookId}`
}

/** Deletes a webhook with its log and its pending deliveries. The caller holds their locks. */
export async function removeWebhook(tx: Tx, webhookId: string): Promise<void> {
  await tx`delete from webhook where webhook_id = ${webhookId}`
}

/** Returns a webhook with its workspace, of any workspace. */
export async function webhookOf(db: Db, webhookId: string): Promise<WebhookRef | undefined> {
  const [row] = await db<WebhookRef[]>`
    select workspace_id as "workspaceId", webhook_id as id from webhook where webhook_id = ${webhookId}`
  return row
}

/** Returns the webhook that a delivery goes to, of any workspace. */
export async function webhookOfDelivery(db: Db, deliveryId: string): Promise<WebhookRef | undefined> {
  const [row] = await db<WebhookRef[]>`
    select workspace_id as "workspaceId", webhook_id as id from delivery where delivery_id = ${deliveryId}`
  return row
}

/** Returns a webhook's name, for people; undefined when it was deleted. */
export async function webhookName(db: Db, webhookId: string): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`select name from webhook where webhook_id = ${webhookId}`
  return row?.name
}

export type WebhookCounts = { webhooks: number; pending: number }

/** How many webhooks there are, and how many deliveries wait. */
export async function countWebhooks(db: Db): Promise<WebhookCounts> {
  const [row] = await db<WebhookCounts[]>`
    select (select count(*)::int from webhook) as webhooks,
           (select count(*)::int from delivery where status = 'pending') as pending`
  return row!
}
