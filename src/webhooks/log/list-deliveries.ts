import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { MAX_RESENT_AT_ONCE } from '../attempts/delivery-rules.ts'
import { retrySteps } from '../attempts/retry-steps-rules.ts'
import type { WebhookRef } from '../schema.ts'
import { countMatching } from './delivery-filter-store.ts'
import { readDeliveries, readPayload, workflowIdOf } from './delivery-log-store.ts'
import type { DeliveryFilter, DeliveryView } from './delivery-schema.ts'

/** Matching deliveries are counted so far, which is how many one request resends. */
const MAX_COUNTED = MAX_RESENT_AT_ONCE

/**
 * Returns the delivery log of a webhook: its newest 50 deliveries with their attempts. Empty for another workspace's
 * webhook. `now` is the database's clock when it is absent.
 */
export async function listDeliveries(db: Db, webhook: WebhookRef, now?: Instant): Promise<DeliveryView[]> {
  if (!isId(webhook.workspaceId) || !isId(webhook.id)) return []
  return readDeliveries(db, webhook, { now })
}

/**
 * Returns the newest 50 deliveries of a webhook that meet a filter, and how many meet it: `more` when there are more
 * than that. Empty for another workspace's webhook.
 */
export async function searchDeliveries(db: Db, webhook: WebhookRef, filter: DeliveryFilter, now?: Instant) {
  if (!isId(webhook.workspaceId) || !isId(webhook.id)) return { deliveries: [], matching: 0, more: false }
  const found = await countMatching(db, webhook, filter, { limit: MAX_COUNTED + 1, now })
  const deliveries = await readDeliveries(db, webhook, { filter, now })
  return { deliveries, matching: Math.min(found, MAX_COUNTED), more: found > MAX_COUNTED }
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
