import { getWebhook } from '../../webhooks/subscriptions/list-webhooks.ts'
import { readWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** GET /v1/webhooks/{webhookId}: its settings and its state. */
export const readWebhookRoute = route(
  readWebhook,
  async ({ tools, actor, params }) => ({ webhook: await getWebhook(tools.sql, refOf(actor, params)) }),
  ofWebhook,
)
