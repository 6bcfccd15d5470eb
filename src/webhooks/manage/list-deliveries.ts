import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { retrySteps } from '../attempts/retry-steps-rules.ts'
import type { WebhookRef } from '../schema.ts'
import { readDeliveries, readPayload, workflowIdOf } from './delivery-log-store.ts'
import type { DeliveryView } from './delivery-schema.ts'

/**
 * Returns the delivery log of a webhook: its newest 50 deliveries with their attempts. Empty for another workspace's
 * webhook. `now` is the database's clock when it is absent.
 */
export async function listDeliveries(db: Db, webhook: WebhookRef, now?: Instant): Promise<DeliveryView[]> {
  if (!isId(webhook.workspaceId) || !isId(webhook.id)) return []
  return readDeliveries(db, webhook, { now })
}

/**
 * One delivery, explained: its retry schedule, and the workflow that makes its attempts. With a position, the attempts
 * before it instead of the newest. @throws AppError not_found
 */
export async function explainDelivery(db: Db, webhook: WebhookRef, deliveryId: string, before?: string) {
  const { olderAttempts, ...newest } = await readOne(db, webhook, deliveryId)
  const explained = { schedule: retrySteps(newest), workflowId: await workflowIdOf(db, deliveryId) }
  if (before === undefined) return { delivery: { ...newest, ...(olderAttempts && { olderAttempts }) }, ...explained }
  const [cycle = 0, number = 0, run = 0] = before.split('.').map(Number)
  const [older] = await readDeliveries(db, webhook, { deliveryId, before: { cycle, number, run } })
  const { attempts = [], olderAttempts: more } = older ?? {}
  return { delivery: { ...newest, attempts, ...(more && { olderAttempts: more }) }, ...explained }
}

/** One delivery with its attempts and the exact body, whatever its size. @throws AppError not_found */
async function readOne(db: Db, webhook: WebhookRef, deliveryId: string): Promise<DeliveryView & { payload: string }> {
  const known = isId(webhook.workspaceId) && isId(webhook.id) && isId(deliveryId)
  const [delivery] = known ? await readDeliveries(db, webhook, { deliveryId }) : []
  const payload = delivery && (delivery.payload ?? (await readPayload(db, webhook, deliveryId)))
  if (payload !== undefined) return { ...delivery!, payload }
  throw new AppError('not_found', 'There is no such delivery. It may be older than the log keeps.')
}
