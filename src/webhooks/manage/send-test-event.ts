import { publishing } from '../../catalog/clock/clock-store.ts'
import { recordTestEvent } from '../../events/store.ts'
import { testEvent } from '../attempts/delivery-rules.ts'
import { restartDelivery } from '../resend/resend-store.ts'
import type { WebhookRef } from '../schema.ts'
import { checkRef, type Operator, webhookNotFound, webhookPaused } from './operator.ts'
import { lockState } from './operator-store.ts'
import { findDelivery, insertDelivery } from './test-event-store.ts'

/**
 * Queues a `webhook.test` event for the next round. Tests of one webhook in one minute share one event and one
 * delivery. A test that was not sent while the webhook was paused is sent when it is repeated.
 * @throws AppError not_found, webhook_paused
 */
export async function sendTestEvent(
  { sql, now }: Pick<Operator, 'sql' | 'now'>,
  webhook: WebhookRef,
): Promise<{ eventId: string; deliveryId: string }> {
  checkRef(webhook)
  return publishing(sql, async (tx, stamp) => {
    const state = await lockState(tx, webhook)
    if (!state) throw webhookNotFound()
    if (state.paused) throw webhookPaused()
    const at = now ?? stamp.at
    const event = testEvent(webhook.id, at)
    const known = await findDelivery(tx, webhook, event.id)
    if (known?.notSent) await restartDelivery(tx, webhook.id, known.deliveryId, at)
    if (known) return { eventId: event.id, deliveryId: known.deliveryId }
    await recordTestEvent(tx, { ...event, seq: stamp.nextSeq(), at })
    return { eventId: event.id, deliveryId: await insertDelivery(tx, webhook, event.id, at) }
  })
}
