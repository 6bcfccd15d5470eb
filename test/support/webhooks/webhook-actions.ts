import type { Instant } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { deleteWebhook } from '../../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../../src/webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../../src/webhooks/resend/resume-and-resend.ts'
import type { WebhookRef } from '../../../src/webhooks/schema.ts'
import { revealSecret } from '../../../src/webhooks/subscriptions/reveal-secret.ts'
import { operator, tools } from './subscriptions.ts'

export const NEW_URL = 'https://hooks.example.com/new'

export type ActionTarget = { sql: Sql; webhook: WebhookRef; ids: string[]; now: Instant }

/** Everything an operator can do to a webhook with deliveries. */
export const ACTIONS = {
  pause: ({ sql, now, webhook }: ActionTarget) => pauseWebhook({ ...operator(sql), now }, webhook, 'Paused by hand.'),
  resume: ({ sql, now, webhook }: ActionTarget) => resumeWebhook({ ...operator(sql), now }, webhook),
  'resume and resend': ({ sql, now, webhook }: ActionTarget) => resumeAndResend({ ...operator(sql), now }, webhook),
  resend: ({ sql, now, webhook, ids }: ActionTarget) => resendDelivery({ sql, now }, webhook, ids[0]!),
  delete: ({ sql, now, webhook }: ActionTarget) => deleteWebhook({ ...operator(sql), now }, webhook),
  'edit the URL': ({ sql, webhook }: ActionTarget) =>
    editWebhook(operator(sql), { checkUrl: async () => {} }, webhook, { url: NEW_URL }),
  rotate: ({ sql, now, webhook }: ActionTarget) => rotateSecret(sql, tools.secretKey, webhook, now),
  'send a test': ({ sql, now, webhook }: ActionTarget) => sendTestEvent({ sql, now }, webhook),
  reveal: ({ sql, now, webhook }: ActionTarget) => revealSecret(sql, tools.secretKey, webhook, now),
}

export type ActionName = keyof typeof ACTIONS
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[]
