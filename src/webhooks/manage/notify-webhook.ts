import { SECOND } from '../../lib/instant.ts'
import type { WebhookChange } from '../workflow-schema.ts'
import type { Operator } from './operator.ts'

/** A button answers and a command ends after this long at most, whether or not Temporal does. */
export const NOTIFY_WITHIN_MS = 2 * SECOND

/**
 * Notifies a webhook's workflow of what was done to the webhook. The change is committed already: when this message is
 * lost, the next check passes the notices on to the deliveries.
 */
export async function notifyWebhook(
  { workflows }: Pick<Operator, 'workflows'>,
  webhook: { id: string; name: string },
  change: WebhookChange,
): Promise<void> {
  await workflows.notifyWebhook(webhook, change).catch(() => {})
}
