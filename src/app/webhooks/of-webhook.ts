import { workspaceOfWebhook } from '../../webhooks/manage/workspace-of-webhook.ts'
import type { WebhookRef } from '../../webhooks/schema.ts'
import type { Locate } from '../access.ts'

/** A request about one webhook is about the workspace that the webhook belongs to. */
export const ofWebhook: Locate = {
  find: (sql, { params }) => workspaceOfWebhook(sql, (params as { webhookId: string }).webhookId),
  missing: 'There is no such webhook, or you do not belong to its workspace.',
}

export const refOf = (actor: { workspaceId: string }, params: { webhookId: string }): WebhookRef => ({
  workspaceId: actor.workspaceId,
  id: params.webhookId,
})
