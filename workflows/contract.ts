import { defineSignal } from '@temporalio/workflow'
import { CHANGED, GRANT, type Grant, WEBHOOK_CHANGES, type WebhookChange } from '../src/webhooks/workflow-schema.ts'

/** A round lets a delivery make one attempt. */
export const grantSignal = defineSignal<[Grant]>(GRANT)
/** A delivery's row changed for another reason than an attempt: a pause, a resend, a deletion. */
export const changedSignal = defineSignal<[string]>(CHANGED)

export const webhookSignals = WEBHOOK_CHANGES.map((change) => ({ change, signal: defineSignal(change) })) satisfies {
  change: WebhookChange
  signal: unknown
}[]
