import { checkPastedRequest } from '../../webhooks/verification/check-request.ts'
import { checkWebhookRequest } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/check-request: why the signature of a received request does or does not verify. */
export const checkRequestRoute = route(
  checkWebhookRequest,
  async ({ tools, actor, params, body }) => checkPastedRequest(tools.sql, tools.secretKey, refOf(actor, params), body),
  ofWebhook,
)
