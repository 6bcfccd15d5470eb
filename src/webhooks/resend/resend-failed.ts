import type { DeliveryFilter } from '../log/delivery-schema.ts'
import { type Operator, webhookPaused, withLockedWebhook } from '../manage/operator.ts'
import type { WebhookRef } from '../schema.ts'
import { restartFailed } from './resend-store.ts'

/**
 * Restarts the newest 1,000 failed deliveries that meet a filter, with all six attempts: also those that were not sent
 * while the webhook was paused, unless the filter's status excludes them. Returns how many. They go out with the next
 * rounds. @throws AppError not_found, webhook_paused
 */
export async function resendFailed(
  operator: Pick<Operator, 'sql' | 'now'>,
  webhook: WebhookRef,
  filter: DeliveryFilter,
): Promise<{ resent: number }> {
  return withLockedWebhook(operator, webhook, async (tx, { paused }, now) => {
    if (paused) throw webhookPaused()
    return { resent: await restartFailed(tx, webhook.id, filter, now) }
  })
}
