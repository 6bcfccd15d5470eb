import { previewSubscription } from '../../webhooks/matching/preview-subscription.ts'
import { previewWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'

/** POST /v1/webhook-preview: how many events a webhook would have received in the last 30 days. */
export const previewWebhookRoute = route(previewWebhook, async ({ tools, body }) =>
  previewSubscription(tools.sql, body),
)
