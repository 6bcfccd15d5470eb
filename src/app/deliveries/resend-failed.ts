import * as deliveries from '../../webhooks/resend/resend-failed.ts'
import { resendFailed } from '../contracts/deliveries.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from '../webhooks/of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/resend-failed: what failed and meets the filter of the log, with all six attempts again. */
export const resendFailedRoute = route(
  resendFailed,
  async ({ tools, actor, params, body }) => deliveries.resendFailed(tools.operator, refOf(actor, params), body),
  ofWebhook,
)
