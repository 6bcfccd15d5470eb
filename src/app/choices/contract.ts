import { z } from 'zod'
import { eventType } from '../../events/schema.ts'
import { contract } from '../contract.ts'

const MAX_SEARCH_CHARACTERS = 200

/** What a webhook can be about, from the catalogue; resources are searched for, there are thousands. */
export const listChoices = contract('GET', '/v1/choices', {
  access: 'session',
  answer: z.object({
    providers: z.array(
      z.object({
        provider: z.string(),
        name: z.string(),
        creditPriced: z.boolean(),
        documents: z.array(z.object({ document: z.string(), title: z.string() })),
      }),
    ),
    groups: z.array(z.object({ id: z.string(), name: z.string(), members: z.int() })),
    privateEndpoints: z.boolean().describe('webhooks may send to this machine and its network; for development'),
  }),
  status: 200,
})

export const findResources = contract('GET', '/v1/choices/resources', {
  access: 'session',
  query: z.strictObject({
    search: z.string().max(MAX_SEARCH_CHARACTERS, 'must have at most 200 characters'),
    providers: z.string().optional().describe('slugs with commas between them; left out: every provider'),
  }),
  answer: z.object({
    resources: z.array(
      z.object({ provider: z.string(), resource: z.string(), canonicalResource: z.string().nullable() }),
    ),
  }),
  status: 200,
})

export const listEventExamples = contract('GET', '/v1/choices/events', {
  access: 'session',
  answer: z.object({
    events: z.array(
      z.object({
        type: eventType,
        body: z.string(),
        recorded: z.boolean().describe('false: none was recorded lately, so this one is invented'),
      }),
    ),
  }),
  status: 200,
})
