import * as webhooks from '../../webhooks/manage/resume-webhook.ts'
import { resumeAndResend } from '../../webhooks/resend/resume-and-resend.ts'
import { getWebhook } from '../../webhooks/subscriptions/list-webhooks.ts'
import { resumeWebhook } from '../contracts/webhooks.ts'
import { route } from '../route.ts'
import { ofWebhook, refOf } from './of-webhook.ts'

/** POST /v1/webhooks/{webhookId}/resume[?resend=paused]: sends again, and what was not sent while it was paused. */
export const resumeWebhookRoute = route(
  resumeWebhook,
  async ({ tools, actor, params, query }) => {
    const ref = refOf(actor, params)
    const done = query.resend ? await resumeAndResend(tools.operator, ref) : undefined
    if (!done) await webhooks.resumeWebhook(tools.operator, ref)
    return { webhook: await getWebhook(tools.sql, ref), ...done }
  },
  ofWebhook,
)
