import * as webhooks from '../../webhooks/subscriptions/list-webhooks.ts'
import { listWebhooks } from '../contracts/webhooks.ts'
import { route } from '../route.ts'

/** GET /v1/webhooks?workspace=: the webhooks of a workspace. */
export const listWebhooksRoute = route(listWebhooks, async ({ tools, actor }) => ({
  webhooks: await webhooks.listWebhooks(tools.sql, actor.workspaceId),
}))
