import { z } from 'zod'
import { direction, feedItem } from '../../events/feed-schema.ts'
import { eventType, significance } from '../../events/schema.ts'
import { contract } from '../contract.ts'
import { askedInstant, inJson, instant } from '../parts.ts'
import { asOf } from '../prices/contract.ts'

const DEFAULT_ITEMS = 100
const MAX_ITEMS = 200

/** What narrows the changes: on the page, in its Atom feed and in the requests of both. */
const feedFilter = z.strictObject({
  types: list(eventType).optional(),
  providers: list(z.string().max(64)).optional(),
  resource: z.string().min(1).max(300).optional(),
  direction: direction.optional(),
  minSignificance: significance.optional().describe('of changes of documents'),
})

function list<T extends z.ZodType<unknown, string>>(item: T) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(item).min(1).max(200))
}

export const listFeed = contract('GET', '/v1/app/feed', {
  access: 'reader',
  query: feedFilter.extend({
    asOf,
    before: z
      .string()
      .regex(/^\d{1,18}$/, 'is the next of the page before')
      .optional(),
    limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(DEFAULT_ITEMS),
  }),
  answer: z.object({ items: z.array(feedItem), next: z.string().optional() }),
  status: 200,
})

const place = z.tuple([askedInstant, z.string(), z.string(), z.string()])

/** Changes that no event tells, computed from the price history: imported ones, and those older than events are kept. */
export const listRecordedChanges = contract('GET', '/v1/app/feed/recorded', {
  access: 'reader',
  query: z.strictObject({
    types: list(eventType).optional(),
    providers: list(z.string().max(64)).optional(),
    direction: direction.optional(),
    asOf,
    after: inJson(place, 'is the next of the page before').optional(),
  }),
  answer: z.object({ items: z.array(feedItem), next: z.string().optional() }),
  status: 200,
})

/** What is beside the changes. */
export const readOverview = contract('GET', '/v1/app/overview', {
  access: 'reader',
  answer: z.object({
    newest: instant.describe('the newest instant that can be read'),
    first: instant.optional().describe('when the first price was published'),
    providers: z.array(
      z.object({
        provider: z.string(),
        name: z.string(),
        freshness: z.enum(['fresh', 'stale', 'unknown']),
        lastCheckedAt: instant.nullable(),
      }),
    ),
    waiting: z.int().optional().describe('review items that wait; for operators'),
  }),
  status: 200,
})

export const readFeedAddress = contract('GET', '/v1/account/feed', {
  access: 'session',
  answer: z.object({ feed: z.object({ createdAt: instant, lastUsedAt: instant.nullable() }).nullable() }),
  status: 200,
})

export const createFeedAddress = contract('POST', '/v1/account/feed', {
  access: 'session',
  answer: z.object({ path: z.string().describe('shown once; a new one replaces it') }),
  status: 201,
})

export const deleteFeedAddress = contract('DELETE', '/v1/account/feed', {
  access: 'session',
  status: 204,
})
