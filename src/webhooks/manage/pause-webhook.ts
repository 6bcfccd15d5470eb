import { noticePending } from '../attempts/notice-store.ts'
import type { WebhookRef } from '../schema.ts'
import { notifyWebhook } from './notify-webhook.ts'
import { type Operator, withLockedWebhook } from './operator.ts'
import { setPaused } from './operator-store.ts'

/** Pauses a webhook: nothing is sent until it is resumed. @throws AppError not_found */
export async function pauseWebhook(operator: Operator, webhook: WebhookRef, reason: string): Promise<void> {
  const { name, changed } = await withLockedWebhook(operator, webhook, async (tx, state, now) => {
    if (state.paused) return { ...state, changed: false }
    await setPaused(tx, webhook.id, reason, now)
    await noticePending(tx, webhook.id, 'the webhook was paused', now)
    return { ...state, changed: true }
  })
  if (!changed) return
  operator.log?.info({ webhookId: webhook.id, workspaceId: webhook.workspaceId, by: 'person' }, 'webhook paused')
  await notifyWebhook(operator, { id: webhook.id, name }, 'pause')
}
