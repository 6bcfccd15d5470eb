import * as webhooks from '../../webhooks/subscriptions/create-webhook.ts'
import { createWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'

/** POST /v1/webhooks?workspace=: a new webhook with its signing secret. */
export const createWebhookRoute = route(createWebhook, async ({ tools, actor, body }) => {
  const { secretKey, checkUrl } = tools
  return webhooks.createWebhook(tools.sql, { secretKey, checkUrl }, actor.workspaceId, body)
})
