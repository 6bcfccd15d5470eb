import { isId } from '../../lib/ids.ts'
import type { Db } from '../../lib/sql.ts'
import type { WebhookRef } from '../schema.ts'
import * as store from './delivery-log-store.ts'

/** The exact text that a delivery sends. Undefined when this workspace's webhook has no such delivery. */
export async function readPayload(db: Db, webhook: WebhookRef, deliveryId: string): Promise<string | undefined> {
  if (!isId(webhook.workspaceId) || !isId(webhook.id) || !isId(deliveryId)) return undefined
  return store.readPayload(db, webhook, deliveryId)
}
