import { publishing } from '../../catalog/clock/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import { readBody } from '../../lib/http/read-body.ts'
import type { WebhookPatch, WebhookRef, WebhookView } from '../schema.ts'
import { webhookPatch } from '../schema.ts'
import { resolveSubscription, type WebhookTools } from '../subscriptions/resolve-subscription.ts'
import { differs, editedSubscription, subscriptionOf } from '../subscriptions/subscription-rules.ts'
import { readWebhooks, updateWebhook, writeVersion } from '../subscriptions/webhook-store.ts'
import { notifyWebhook } from './notify-webhook.ts'
import { checkRef, type Operator, webhookNotFound } from './operator.ts'
import { lockState } from './operator-store.ts'

/**
 * Saves an edit: what the patch does not name stays. Events published before are still matched with the webhook as it
 * was. A paused webhook stays paused. Another URL starts its count of failures again.
 * @throws AppError not_found, invalid_body with `field`, invalid_url, webhook_changed
 */
export async function editWebhook(
  operator: Pick<Operator, 'sql' | 'workflows'>,
  tools: Pick<WebhookTools, 'checkUrl'>,
  webhook: WebhookRef,
  body: WebhookPatch,
): Promise<WebhookView> {
  const patch = readBody(webhookPatch, body, 'a webhook')
  checkRef(webhook)
  if (patch.url !== undefined) await tools.checkUrl(patch.url)
  const { saved, urlChanged } = await publishing(operator.sql, async (tx, { at }) => {
    if (!(await lockState(tx, webhook))) throw webhookNotFound()
    const before = (await readWebhooks(tx, webhook.workspaceId, webhook.id))[0]!
    if (patch.ifUpdatedAt !== undefined && patch.ifUpdatedAt !== before.updatedAt) throw webhookChanged()
    const current = subscriptionOf(before)
    const subscription = await resolveSubscription(tx, editedSubscription(current, patch), current.aliases)
    const { name = before.name, url = before.url } = patch
    await updateWebhook(tx, at, { id: webhook.id, name, url })
    if (differs(subscription, current)) await writeVersion(tx, at, webhook.id, subscription)
    const [after] = await readWebhooks(tx, webhook.workspaceId, webhook.id)
    return { saved: after!, urlChanged: url !== before.url }
  })
  if (urlChanged) await notifyWebhook(operator, saved, 'urlChanged')
  return saved
}

const webhookChanged = () =>
  new AppError('webhook_changed', 'This webhook was saved since you opened it. Look at what is new, then save again.')
