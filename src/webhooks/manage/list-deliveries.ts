import { isId } from '../../lib/ids.ts'
import type { Db } from '../../lib/sql.ts'
import type { WebhookRef } from '../schema.ts'
import { readDeliveries } from './delivery-log-store.ts'
import type { DeliveryView } from './delivery-schema.ts'

/** The delivery log of a webhook: its newest 50 deliveries with their attempts. Empty for another workspace's webhook. */
export async function listDeliveries(db: Db, webhook: WebhookRef): Promise<DeliveryView[]> {
  if (!isId(webhook.workspaceId) || !isId(webhook.id)) return []
  return readDeliveries(db, webhook)
}
