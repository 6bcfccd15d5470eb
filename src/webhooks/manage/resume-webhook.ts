import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import { noticePending } from '../attempts/notice-store.ts'
import type { WebhookRef } from '../schema.ts'
import { notifyWebhook } from './notify-webhook.ts'
import { type Operator, withLockedWebhook } from './operator.ts'
import { type LockedState, setActive } from './operator-store.ts'

/** Resumes deliveries. What was not sent stays unsent, and failures stay counted. @throws AppError not_found */
export async function resumeWebhook(operator: Operator, webhook: WebhookRef): Promise<void> {
  const { name } = await withLockedWebhook(operator, webhook, async (tx, state, now) => {
    await activate(tx, webhook, state, now)
    return state
  })
  operator.log?.info({ webhookId: webhook.id, workspaceId: webhook.workspaceId }, 'webhook resumed')
  await notifyWebhook(operator, { id: webhook.id, name }, 'resume')
}

/** Makes a locked webhook active again, and leaves notices for its waiting deliveries. */
export async function activate(tx: Tx, webhook: WebhookRef, state: LockedState, now: Instant): Promise<void> {
  if (!state.paused) return
  await setActive(tx, webhook.id, now)
  await noticePending(tx, webhook.id, 'the webhook was resumed', now)
}
