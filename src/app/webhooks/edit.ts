import * as webhooks from '../../webhooks/manage/edit-webhook.ts'
import { editWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** PATCH /v1/webhooks/{webhookId}: saves what the body names; the rest stays. */
export const editWebhookRoute = route(
  editWebhook,
  async ({ tools, actor, params, body }) => ({
    webhook: await webhooks.editWebhook(tools.operator, tools, refOf(actor, params), body),
  }),
  ofWebhook,
)
