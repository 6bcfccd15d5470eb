import { databaseNow, publishing } from '../../catalog/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { testEvent } from '../attempts/delivery-rules.ts'
import { noticePending } from '../attempts/notice-store.ts'
import type { Messenger } from '../rounds/delivery-workflows.ts'
import type { WebhookPatch, WebhookView } from '../schema.ts'
import { updateWebhook, type WebhookRef, type WebhookTools } from '../subscriptions/save-webhook.ts'
import { isId } from '../subscriptions/subscription-rules.ts'
import type { WebhookChange } from '../workflow-schema.ts'
import { queueTest } from './test-event-store.ts'
import {
  lockState,
  removeWebhook,
  restartDelivery,
  restartUnsent,
  setActive,
  setPaused,
} from './webhook-state-store.ts'

/** What the buttons on a webhook need: the database, and a way to tell its workflow what happened. */
export type Operator = { sql: Sql; messenger: Pick<Messenger, 'tellWebhook'>; now?: Instant }

/** Pauses a webhook: nothing is sent until it is resumed. @throws AppError not_found */
export async function pauseWebhook(operator: Operator, webhook: WebhookRef, reason: string): Promise<void> {
  const changed = await locked(operator, webhook, async (tx, paused, now) => {
    if (paused) return false
    await setPaused(tx, webhook.id, reason, now)
    await noticePending(tx, webhook.id, 'the webhook was paused', now)
    return true
  })
  if (changed) await tell(operator, webhook, 'pause')
}

/** Resumes deliveries. What was not sent while paused stays unsent. @throws AppError not_found */
export async function resumeWebhook(operator: Operator, webhook: WebhookRef): Promise<void> {
  await resume(operator, webhook, 'resume')
}

/**
 * Resumes deliveries and starts every one among the newest 1,000 that was not sent while paused again. Answers how
 * many those are; they go out with the next round. @throws AppError not_found
 */
export async function resumeAndResend(operator: Operator, webhook: WebhookRef): Promise<{ resent: number }> {
  return { resent: await resume(operator, webhook, 'resumeAndResend') }
}

/** Starts a delivery again with all six attempts, whatever its status. @throws AppError not_found, webhook_paused */
export async function resendDelivery(operator: Operator, webhook: WebhookRef, deliveryId: string): Promise<void> {
  await locked(operator, webhook, async (tx, paused, now) => {
    if (paused) throw webhookPaused()
    if (!isId(deliveryId) || !(await restartDelivery(tx, webhook.id, deliveryId, now)))
      throw new AppError('not_found', 'There is no such delivery. It may be older than the log keeps.')
  })
}

/**
 * Queues a `webhook.test` event for the next round. Tests of one webhook in one minute share one event and one
 * delivery. @throws AppError not_found, webhook_paused
 */
export async function sendTestEvent(
  { sql, now }: Operator,
  webhook: WebhookRef,
): Promise<{ eventId: string; deliveryId: string }> {
  return publishing(sql, async (tx, stamp) => {
    const paused = await lockState(tx, webhook.workspaceId, checked(webhook).id)
    if (paused === undefined) throw notFound()
    if (paused) throw webhookPaused()
    const at = now ?? stamp.at
    const event = testEvent(webhook.id, at)
    const deliveryId = await queueTest(tx, { ...event, webhook, at, seq: stamp.nextSeq })
    return { eventId: event.id, deliveryId }
  })
}

/** Deletes a webhook with its log and its pending deliveries; their workflows end. @throws AppError not_found */
export async function deleteWebhook(operator: Operator, webhook: WebhookRef): Promise<void> {
  await locked(operator, webhook, (tx, _paused, now) => removeWebhook(tx, webhook.id, now))
  await tell(operator, webhook, 'deleted')
}

/**
 * Saves an edit: what the patch does not name stays, a paused webhook stays paused. Another URL starts the count of
 * failures again, and the webhook's workflow is told.
 * @throws AppError not_found, invalid_body with `field`, invalid_url
 */
export async function editWebhook(
  operator: Operator,
  tools: Pick<WebhookTools, 'checkUrl'>,
  webhook: WebhookRef,
  patch: WebhookPatch,
): Promise<WebhookView> {
  const { webhook: saved, urlChanged } = await updateWebhook(operator.sql, tools, webhook, patch)
  if (urlChanged) await tell(operator, webhook, 'urlChanged')
  return saved
}

function resume(operator: Operator, webhook: WebhookRef, how: 'resume' | 'resumeAndResend'): Promise<number> {
  return locked(operator, webhook, async (tx, paused, now) => {
    if (paused) {
      await setActive(tx, webhook.id, now)
      await noticePending(tx, webhook.id, 'the webhook was resumed', now)
    }
    return how === 'resume' ? 0 : restartUnsent(tx, webhook.id, now)
  }).then(async (resent) => {
    await tell(operator, webhook, how)
    return resent
  })
}

async function locked<T>(
  { sql, now }: Operator,
  webhook: WebhookRef,
  work: (tx: Tx, paused: boolean, now: Instant) => Promise<T>,
): Promise<T> {
  const { workspaceId, id } = checked(webhook)
  const result = await sql.begin(async (tx) => {
    const paused = await lockState(tx, workspaceId, id)
    if (paused === undefined) throw notFound()
    return { done: await work(tx, paused, now ?? (await databaseNow(tx))) }
  })
  return result.done as T
}

/** What happened is committed already: when the message is lost, the next check passes the notices on. */
async function tell({ messenger }: Operator, webhook: WebhookRef, change: WebhookChange): Promise<void> {
  await messenger.tellWebhook(webhook.id, webhook.workspaceId, change).catch(() => {})
}

function checked(webhook: WebhookRef): WebhookRef {
  if (!isId(webhook.id) || !isId(webhook.workspaceId)) throw notFound()
  return webhook
}

const notFound = () => new AppError('not_found', 'There is no such webhook in this workspace.')
const webhookPaused = () =>
  new AppError('webhook_paused', 'The webhook is paused: resume it first, then nothing keeps it from being sent.')
