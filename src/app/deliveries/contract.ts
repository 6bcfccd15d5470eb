import { z } from 'zod'
import { contract } from '../contract.ts'
import { askedInstant, instant, inWorkspace } from '../parts.ts'

const attempt = z.object({
  cycle: z.int().describe('which six attempts: a resend starts the next'),
  number: z.int(),
  at: instant,
  outcome: z.enum(['started', 'succeeded', 'failed', 'unknown', 'platform']),
  status: z.int().optional(),
  error: z.string().optional(),
  durationMs: z.int().optional(),
  response: z.string().optional().describe('the first up to 1 KB of the response body'),
  headers: z.record(z.string(), z.string()).optional().describe('as they were sent; only of one delivery'),
  earlierPosts: z.array(z.object({ startedAt: instant, error: z.string(), durationMs: z.int() })).optional(),
})

const delivery = z.object({
  id: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  provider: z.string().optional().describe('whom the event is about; absent in tests'),
  subject: z.string().optional().describe('the resource, the first of several, or the document'),
  status: z.enum(['pending', 'succeeded', 'failed']),
  cycle: z.int(),
  notSent: z.boolean(),
  createdAt: instant,
  nextTryAt: instant.optional(),
  finishedAt: instant.optional(),
  error: z.string().optional(),
  attempts: z.array(attempt).describe('the newest 20, oldest first, or the 20 before attemptsBefore'),
  olderAttempts: z.string().optional().describe('there are attempts before these: the attemptsBefore to ask for them'),
  payloadBytes: z.int(),
  payload: z.string().optional().describe('the exact body; in a list, only when it is small'),
})

const step = z.object({
  number: z.int(),
  state: z.enum(['succeeded', 'failed', 'unknown', 'started', 'next', 'planned', 'omitted']),
  at: instant.optional(),
  waitMs: z.int().optional().describe('after the failure before it'),
})

const MAX_SEARCH_CHARACTERS = 200
/** What narrows the log. */
const filter = {
  search: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_SEARCH_CHARACTERS, 'must have at most 200 characters')
    .optional()
    .describe('a part of an id, a name, the body or what was answered'),
  type: z.string().max(MAX_SEARCH_CHARACTERS).optional().describe('an event type, or webhook.test'),
  since: askedInstant.optional().describe('created at or after it'),
  until: askedInstant.optional().describe('created before it'),
}

export const listDeliveries = contract('GET', '/v1/webhooks/:webhookId/deliveries', {
  access: 'member',
  query: z.strictObject({ ...filter, status: z.enum(['pending', 'succeeded', 'failed', 'notSent']).optional() }),
  answer: z.object({
    deliveries: z.array(delivery).describe('the newest 50'),
    matching: z.int().describe('how many meet the filter, counted up to 1,000'),
    more: z.boolean().describe('more than were counted'),
  }),
  status: 200,
})

/** POST with the filter of the log: the newest 1,000 that failed, or were not sent. */
export const resendFailed = contract('POST', '/v1/webhooks/:webhookId/resend-failed', {
  access: 'member',
  audit: 'deliveries_resent',
  body: z.strictObject({ ...filter, status: z.enum(['failed', 'notSent']).optional().describe('left out: both') }),
  answer: z.object({ resent: z.int() }),
  status: 202,
})

const counts = {
  succeeded: z.int(),
  failed: z.int().describe('every attempt failed'),
  retrying: z.int().describe('an attempt failed and another follows'),
  notSent: z.int(),
}

const period = z.object({
  ...counts,
  medianMs: z.int().optional().describe('until the answer: of a sample of each hour or day'),
  p95Ms: z.int().optional(),
  steps: z
    .array(z.object({ at: instant.describe('its beginning'), ...counts }))
    .describe('by the hour or day in which deliveries were created'),
})

export const readStatistics = contract('GET', '/v1/webhook-statistics', {
  access: 'member',
  query: inWorkspace,
  answer: z.object({
    webhooks: z.array(
      z.object({
        webhookId: z.string(),
        day: period.describe('deliveries created in the last 24 hours'),
        month: period.describe('deliveries created in the last 30 days'),
        lastAttempt: z
          .object({
            deliveryId: z.string(),
            at: instant,
            succeeded: z.boolean(),
            status: z.int().optional(),
            error: z.string().optional(),
          })
          .optional(),
      }),
    ),
  }),
  status: 200,
})

export const readDelivery = contract('GET', '/v1/webhooks/:webhookId/deliveries/:deliveryId', {
  access: 'member',
  query: z.strictObject({
    attemptsBefore: z
      .string()
      .regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/)
      .optional(),
  }),
  answer: z.object({
    delivery: delivery.extend({ payload: z.string() }),
    schedule: z.array(step).describe('the six attempts of the present cycle'),
    temporalUrl: z.string().optional().describe('for operators: the workflow in the Temporal UI'),
  }),
  status: 200,
})

export const resendDelivery = contract('POST', '/v1/webhooks/:webhookId/deliveries/:deliveryId/resend', {
  access: 'member',
  audit: 'delivery_resent',
  status: 202,
})
