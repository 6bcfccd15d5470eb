import { mostAllowed } from '../../accounts/workspaces/keep-to-quota.ts'
import { deleteWebhook } from '../../webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../webhooks/manage/send-test-event.ts'
import { previewSubscription } from '../../webhooks/matching/preview-subscription.ts'
import { resumeAndResend } from '../../webhooks/resend/resume-and-resend.ts'
import { createWebhook } from '../../webhooks/subscriptions/create-webhook.ts'
import { getWebhook, listWebhooks } from '../../webhooks/subscriptions/list-webhooks.ts'
import { revealSecret } from '../../webhooks/subscriptions/reveal-secret.ts'
import { checkPastedRequest } from '../../webhooks/verification/check-request.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

export const webhooksRoutes: AppRoute[] = [
  /** GET /v1/webhooks?workspace=: the webhooks of a workspace. */
  route(contracts.listWebhooks, async ({ tools, actor }) => ({
    webhooks: await listWebhooks(tools.sql, actor.workspaceId),
    most: (await mostAllowed(tools.sql, actor.workspaceId)).webhooks,
  })),

  /** POST /v1/webhooks?workspace=: a new webhook with its signing secret. */
  route(contracts.createWebhook, async ({ tools, actor, body }) => {
    const { secretKey, checkUrl } = tools
    return createWebhook(tools.sql, { secretKey, checkUrl }, actor.workspaceId, body)
  }),

  /** POST /v1/webhook-preview: how many events a webhook would have received in the last 30 days. */
  route(contracts.previewWebhook, async ({ tools, body }) => previewSubscription(tools.sql, body)),

  /** GET /v1/webhooks/{webhookId}: its settings and its state. */
  route(
    contracts.readWebhook,
    async ({ tools, actor, params }) => ({ webhook: await getWebhook(tools.sql, refOf(actor, params)) }),
    ofWebhook,
  ),

  /** PATCH /v1/webhooks/{webhookId}: saves what the body names; the rest stays. */
  route(
    contracts.editWebhook,
    async ({ tools, actor, params, body }) => ({
      webhook: await editWebhook(tools.operator, tools, refOf(actor, params), body),
    }),
    ofWebhook,
  ),

  /** DELETE /v1/webhooks/{webhookId}: deletes it with its log and its pending deliveries. */
  route(
    contracts.deleteWebhook,
    async ({ tools, actor, params }) => {
      await deleteWebhook(tools.operator, refOf(actor, params))
    },
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/test: a signed test event goes out with the next round. */
  route(
    contracts.testWebhook,
    async ({ tools, actor, params }) => sendTestEvent(tools.operator, refOf(actor, params)),
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/pause: nothing is sent until it is resumed. */
  route(
    contracts.pauseWebhook,
    async ({ tools, actor, params }) => {
      const ref = refOf(actor, params)
      await pauseWebhook(tools.operator, ref, `Paused by ${actor.email}.`)
      return { webhook: await getWebhook(tools.sql, ref) }
    },
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/resume[?resend=paused]: sends again, and what was not sent while it was paused. */
  route(
    contracts.resumeWebhook,
    async ({ tools, actor, params, query }) => {
      const ref = refOf(actor, params)
      const done = query.resend ? await resumeAndResend(tools.operator, ref) : undefined
      if (!done) await resumeWebhook(tools.operator, ref)
      return { webhook: await getWebhook(tools.sql, ref), ...done }
    },
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/secret/reveal: the secret that receivers verify with. */
  route(
    contracts.revealSecret,
    async ({ tools, actor, params }) => revealSecret(tools.sql, tools.secretKey, refOf(actor, params)),
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/secret/rotate: a new secret; the one before it signs for 24 hours too. */
  route(
    contracts.rotateSecret,
    async ({ tools, actor, params }) => rotateSecret(tools.sql, tools.secretKey, refOf(actor, params)),
    ofWebhook,
  ),

  /** POST /v1/webhooks/{webhookId}/check-request: why the signature of a received request does or does not verify. */
  route(
    contracts.checkWebhookRequest,
    async ({ tools, actor, params, body }) =>
      checkPastedRequest(tools.sql, tools.secretKey, refOf(actor, params), body),
    ofWebhook,
  ),
]
