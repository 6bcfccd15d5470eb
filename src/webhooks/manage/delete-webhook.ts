import { noticePending } from '../attempts/notice-store.ts'
import type { WebhookRef } from '../schema.ts'
import { notifyWebhook } from './notify-webhook.ts'
import { type Operator, withLockedWebhook } from './operator.ts'
import { lockForDeletion, removeWebhook } from './operator-store.ts'

/**
 * Deletes a webhook with its log and its pending deliveries. Notices stay until they have ended the workflows of those.
 * @throws AppError not_found
 */
export async function deleteWebhook(operator: Operator, webhook: WebhookRef): Promise<void> {
  const { name } = await withLockedWebhook(
    operator,
    webhook,
    async (tx, state, now) => {
      await noticePending(tx, webhook.id, 'the webhook was deleted', now)
      await removeWebhook(tx, webhook.id)
      return state
    },
    lockForDeletion,
  )
  await notifyWebhook(operator, { id: webhook.id, name }, 'deleted')
}
