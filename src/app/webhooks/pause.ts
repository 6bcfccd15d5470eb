import * as webhooks from '../../webhooks/manage/pause-webhook.ts'
import { getWebhook } from '../../webhooks/subscriptions/list-webhooks.ts'
import { pauseWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/pause: nothing is sent until it is resumed. */
export const pauseWebhookRoute = route(
  pauseWebhook,
  async ({ tools, actor, params }) => {
    const ref = refOf(actor, params)
    await webhooks.pauseWebhook(tools.operator, ref, `Paused by ${actor.email}.`)
    return { webhook: await getWebhook(tools.sql, ref) }
  },
  ofWebhook,
)
