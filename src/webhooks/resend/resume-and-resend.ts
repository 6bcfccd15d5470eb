import { notifyWebhook } from '../manage/notify-webhook.ts'
import { type Operator, withLockedWebhook } from '../manage/operator.ts'
import { activate } from '../manage/resume-webhook.ts'
import type { WebhookRef } from '../schema.ts'
import { restartFailed } from './resend-store.ts'

/**
 * Resumes deliveries and restarts every delivery among the newest 1,000 that was not sent while paused. Returns how
 * many those are. They go out with the next round. @throws AppError not_found
 */
export async function resumeAndResend(operator: Operator, webhook: WebhookRef): Promise<{ resent: number }> {
  const { name, resent } = await withLockedWebhook(operator, webhook, async (tx, state, now) => {
    await activate(tx, webhook, state, now)
    return { ...state, resent: await restartFailed(tx, webhook.id, { status: 'notSent' }, now) }
  })
  operator.log?.info({ webhookId: webhook.id, workspaceId: webhook.workspaceId, resent }, 'webhook resumed')
  await notifyWebhook(operator, { id: webhook.id, name }, 'resumeAndResend')
  return { resent }
}
