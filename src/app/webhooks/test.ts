import { sendTestEvent } from '../../webhooks/manage/send-test-event.ts'
import { testWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/test: a signed test event goes out with the next round. */
export const testWebhookRoute = route(
  testWebhook,
  async ({ tools, actor, params }) => sendTestEvent(tools.operator, refOf(actor, params)),
  ofWebhook,
)
