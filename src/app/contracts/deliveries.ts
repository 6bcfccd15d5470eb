import { z } from 'zod'
import { contract } from '../contract.ts'
import { instant } from './parts.ts'

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

export const listDeliveries = contract({
  method: 'GET',
  path: '/v1/webhooks/:webhookId/deliveries',
  access: 'member',
  answer: z.object({ deliveries: z.array(delivery) }),
  status: 200,
})

export const readDelivery = contract({
  method: 'GET',
  path: '/v1/webhooks/:webhookId/deliveries/:deliveryId',
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

export const resendDelivery = contract({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/resend',
  access: 'member',
  audit: 'delivery_resent',
  status: 202,
})
