import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import type { WebhookRef } from '../schema.ts'

/** The delivery of an event to a webhook, when there is one. */
export async function findDelivery(
  tx: Tx,
  webhook: WebhookRef,
  eventId: string,
): Promise<{ deliveryId: string; notSent: boolean } | undefined> {
  const [row] = await tx<{ deliveryId: string; notSent: boolean }[]>`
    select delivery_id as "deliveryId", not_sent is not null as "notSent" from delivery
    where webhook_id = ${webhook.id} and event_id = ${eventId}`
  return row
}

/** A delivery of one event, due at once. Returns its id. */
export async function insertDelivery(tx: Tx, webhook: WebhookRef, eventId: string, at: Instant): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
    values (${webhook.id}, ${webhook.workspaceId}, ${eventId}, ${at}, ${at})
    returning delivery_id as id`
  return row!.id
}
