import { OperatorError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import type { WebhookRef } from '../schema.ts'
import { webhookOf, webhookOfDelivery } from './operator-store.ts'

/** Returns a webhook of any workspace, for operators. @throws OperatorError when there is none */
export async function findWebhook(sql: Sql, id: string): Promise<WebhookRef> {
  const webhook = isId(id) && (await webhookOf(sql, id))
  if (webhook) return webhook
  throw new OperatorError(`There is no webhook ${id}. See: npx pricetape webhook list`)
}

/** Returns the webhook that a delivery goes to, for operators. @throws OperatorError when there is no such delivery */
export async function findWebhookOfDelivery(sql: Sql, deliveryId: string): Promise<WebhookRef> {
  const webhook = isId(deliveryId) && (await webhookOfDelivery(sql, deliveryId))
  if (webhook) return webhook
  throw new OperatorError(`There is no delivery ${deliveryId}. It may be older than the log keeps.`)
}
