import { MAX_RESENT_AT_ONCE } from '../attempts/delivery-rules.ts'
import { notifyWebhook } from '../manage/notify-webhook.ts'
import { type Operator, withLockedWebhook } from '../manage/operator.ts'
import { activate } from '../manage/resume-webhook.ts'
import type { WebhookRef } from '../schema.ts'
import { countDue, restartFailed } from './resend-store.ts'

/**
 * Resumes deliveries and restarts every delivery among the newest 1,000 that was not sent while paused. Returns how
 * many those are. They go out with the next round. @throws AppError not_found
 */
export async function resumeAndResend(operator: Operator, webhook: WebhookRef): Promise<{ resent: number }> {
  const { name, resent } = await withLockedWebhook(operator, webhook, async (tx, state, now) => {
    const waiting = state.paused ? await countDue(tx, webhook.id, now) : 0
    await activate(tx, webhook, state, now)
    const restarted = await restartFailed(tx, webhook.id, { status: 'notSent' }, now)
    // What became due since the last round was not sent either, and goes out as it is.
    return { ...state, resent: Math.min(restarted + waiting, MAX_RESENT_AT_ONCE) }
  })
  operator.log?.info({ webhookId: webhook.id, workspaceId: webhook.workspaceId, resent }, 'webhook resumed')
  await notifyWebhook(operator, { id: webhook.id, name }, 'resumeAndResend')
  return { resent }
}
