import { z } from 'zod'
import { significance } from '../../events/schema.ts'
import { subscriptionBody, webhookBody, webhookPatch } from '../../webhooks/schema.ts'
import { contract } from '../contract.ts'
import { instant, inWorkspace } from '../parts.ts'

/** Filters of 200 entries for every provider have room. */
const BODY_LIMIT = 4 * 1024 * 1024

const webhook = z.object({
  id: z.string(),
  workspaceId: z.string(),
  name: z.string(),
  url: z.string(),
  state: z.enum(['active', 'paused']),
  pausedAt: instant.optional(),
  pausedReason: z.string().optional(),
  failuresInRow: z.int(),
  willPause: z
    .object({ failuresLeft: z.int(), notBefore: instant })
    .optional()
    .describe('while attempts fail in a row: it pauses with the failure that meets both'),
  previousSecretUntil: instant
    .optional()
    .describe('two secrets sign: until then the older one, which ends at once when another rotation begins'),
  createdAt: instant,
  updatedAt: instant,
  eventTypes: z.array(z.string()),
  providers: z.array(z.string()),
  filters: z.record(z.string(), z.object({ resources: z.array(z.string()), documents: z.array(z.string()) })),
  aliases: z.array(z.object({ id: z.string(), name: z.string(), deleted: z.boolean() })),
  minSignificance: significance.describe('from which significance on tos.changed is sent'),
  minChange: z.number().describe('per cent: smaller price changes are not sent'),
})
const one = z.object({ webhook })

export const listWebhooks = contract('GET', '/v1/webhooks', {
  access: 'member',
  query: inWorkspace,
  answer: z.object({ webhooks: z.array(webhook), most: z.int().describe('how many webhooks the workspace may have') }),
  status: 200,
})

export const createWebhook = contract('POST', '/v1/webhooks', {
  access: 'member',
  audit: 'webhook_created',
  query: inWorkspace,
  body: webhookBody,
  bodyLimit: BODY_LIMIT,
  answer: one.extend({ secret: z.string() }),
  status: 201,
})

/** POST for the size of its body: it changes nothing. */
export const previewWebhook = contract('POST', '/v1/webhook-preview', {
  access: 'session',
  body: subscriptionBody,
  bodyLimit: BODY_LIMIT,
  answer: z.object({ since: instant, events: z.int(), byType: z.record(z.string(), z.int()) }),
  status: 200,
})

export const readWebhook = contract('GET', '/v1/webhooks/:webhookId', {
  access: 'member',
  answer: one,
  status: 200,
})

export const editWebhook = contract('PATCH', '/v1/webhooks/:webhookId', {
  access: 'member',
  audit: 'webhook_changed',
  body: webhookPatch,
  bodyLimit: BODY_LIMIT,
  answer: one,
  status: 200,
})

export const deleteWebhook = contract('DELETE', '/v1/webhooks/:webhookId', {
  access: 'member',
  audit: 'webhook_deleted',
  status: 204,
})

export const testWebhook = contract('POST', '/v1/webhooks/:webhookId/test', {
  access: 'member',
  audit: 'webhook_tested',
  answer: z.object({ eventId: z.string(), deliveryId: z.string() }),
  status: 202,
})

export const pauseWebhook = contract('POST', '/v1/webhooks/:webhookId/pause', {
  access: 'member',
  audit: 'webhook_paused',
  answer: one,
  status: 200,
})

export const resumeWebhook = contract('POST', '/v1/webhooks/:webhookId/resume', {
  access: 'member',
  audit: 'webhook_resumed',
  query: z.strictObject({ resend: z.literal('paused').optional() }),
  answer: one.extend({ resent: z.int().optional().describe('only with resend=paused: deliveries that start again') }),
  status: 200,
})

/** POST, so that no page, cache or crawler ever has a secret by following a link. */
export const revealSecret = contract('POST', '/v1/webhooks/:webhookId/secret/reveal', {
  access: 'member',
  audit: 'secret_revealed',
  answer: z.object({ secret: z.string(), previousValidUntil: instant.optional() }),
  status: 200,
})

export const rotateSecret = contract('POST', '/v1/webhooks/:webhookId/secret/rotate', {
  access: 'member',
  audit: 'secret_rotated',
  answer: z.object({ secret: z.string(), previousValidUntil: instant, retiredEarlier: z.boolean() }),
  status: 200,
})

const MAX_PASTED_CHARACTERS = 1024 * 1024
/** More than servers take. */
const MAX_HEADER_CHARACTERS = 64 * 1024
const pasted = z.string().max(MAX_PASTED_CHARACTERS, 'must have at most 1,048,576 characters')

/** Checks a request that a receiver got, as a person pasted it. */
export const checkWebhookRequest = contract('POST', '/v1/webhooks/:webhookId/check-request', {
  access: 'member',
  body: z.strictObject({
    headers: z.string().max(MAX_HEADER_CHARACTERS, 'must have at most 65,536 characters'),
    body: pasted,
    secret: pasted.optional().describe('the one that the receiver has'),
  }),
  anyText: true,
  bodyLimit: BODY_LIMIT,
  answer: z.object({
    verifies: z.boolean(),
    findings: z.array(
      z.object({
        kind: z.enum(['good', 'problem', 'hint']),
        about: z.enum(['headers', 'secret', 'timestamp', 'body']),
        text: z.string(),
      }),
    ),
  }),
  status: 200,
})
