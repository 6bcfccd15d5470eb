import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { WebhookRef } from '../schema.ts'
import { type Operator, webhookPaused, withLockedWebhook } from './operator.ts'
import { restartDelivery, secondsUntilResend } from './operator-store.ts'

/** The log keeps every attempt of a delivery: this bounds how many there can be. */
const MOST_SENDINGS_PER_DAY = 20

/**
 * Restarts a delivery with all six attempts, whatever its status. Its 30 days in the log start again.
 * @throws AppError not_found, webhook_paused, resend_limit with `retryAfter`
 */
export async function resendDelivery(
  operator: Pick<Operator, 'sql' | 'now'>,
  webhook: WebhookRef,
  deliveryId: string,
): Promise<void> {
  await withLockedWebhook(operator, webhook, async (tx, { paused }, now) => {
    if (paused) throw webhookPaused()
    const known = isId(deliveryId)
    const seconds = known ? await secondsUntilResend(tx, deliveryId, now, MOST_SENDINGS_PER_DAY) : undefined
    if (seconds !== undefined) throw resendLimit(seconds)
    if (!known || !(await restartDelivery(tx, webhook.id, deliveryId, now)))
      throw new AppError('not_found', 'There is no such delivery. It may be older than the log keeps.')
  })
}

const resendLimit = (retryAfter: number): AppError =>
  new AppError(
    'resend_limit',
    `This delivery was begun ${MOST_SENDINGS_PER_DAY} times within 24 hours. Correct the endpoint, and resend it in ${Math.ceil(retryAfter / 60)} minutes.`,
    { retryAfter },
  )
