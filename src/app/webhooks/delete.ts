import * as webhooks from '../../webhooks/manage/delete-webhook.ts'
import { deleteWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** DELETE /v1/webhooks/{webhookId}: deletes it with its log and its pending deliveries. */
export const deleteWebhookRoute = route(
  deleteWebhook,
  async ({ tools, actor, params }) => {
    await webhooks.deleteWebhook(tools.operator, refOf(actor, params))
  },
  ofWebhook,
)
