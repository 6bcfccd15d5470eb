import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { type Operator, webhookPaused, withLockedWebhook } from '../manage/operator.ts'
import type { WebhookRef } from '../schema.ts'
import { restartDelivery } from './resend-store.ts'

/**
 * Restarts a delivery with all six attempts, whatever its status. Its 30 days in the log start again. Each attempt waits
 * for a round, which bounds how many the log keeps.
 * @throws AppError not_found, webhook_paused
 */
export async function resendDelivery(
  operator: Pick<Operator, 'sql' | 'now'>,
  webhook: WebhookRef,
  deliveryId: string,
): Promise<void> {
  await withLockedWebhook(operator, webhook, async (tx, { paused }, now) => {
    if (paused) throw webhookPaused()
    if (!isId(deliveryId) || !(await restartDelivery(tx, webhook.id, deliveryId, now)))
      throw new AppError('not_found', 'There is no such delivery. It may be older than the log keeps.')
  })
}
