import { notifyWebhook } from './notify-webhook.ts'
import type { Operator } from './operator.ts'
import { webhookName } from './operator-store.ts'

/** Notifies the workflow of a webhook that its failures have paused. A webhook deleted since then has none. */
export async function announceAutoPause({ sql, workflows }: Operator, webhookId: string): Promise<void> {
  const name = await webhookName(sql, webhookId)
  if (name) await notifyWebhook({ workflows }, { id: webhookId, name }, 'pause')
}
