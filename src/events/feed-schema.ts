import { z } from 'zod'
import { priceRead } from './payloads/parts.ts'
import { eventType, significance } from './schema.ts'

/** Which way a price went. */
export const direction = z.enum(['up', 'down'])

/** Which changes are wanted. What is absent narrows nothing; types that are opt-in are wanted where they are named. */
export type FeedFilter = {
  types?: z.infer<typeof eventType>[]
  providers?: string[]
  /** A name or a canonical id, as a webhook's filter takes it. */
  resource?: string
  direction?: z.infer<typeof direction>
  /** Changes of documents only from this significance on; other events, and changes without one, are wanted too. */
  minSignificance?: z.infer<typeof significance>
  /** Only events at or before this instant. */
  asOf?: string
  /** Only events before this one: where the next page begins. */
  before?: string
  limit: number
}

const version = z.object({ versionId: z.string(), recordedAt: z.string() })

/** A change as people read it. Money is in the unit that people use. */
export const feedItem = z.object({
  seq: z.string(),
  id: z.string(),
  type: eventType,
  provider: z.string(),
  at: z.string(),
  resource: z.string().optional(),
  previousResource: z.string().optional(),
  /** What is priced, and under which conditions. */
  dimension: z.string().optional(),
  tier: z.record(z.string(), z.string()).optional(),
  currency: z.string().optional(),
  /** `million tokens` */
  per: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  direction: z.enum(['up', 'down', 'same']).optional(),
  /** `+20%`; absent where a price was zero. */
  percent: z.string().optional(),
  action: z.enum(['withdrawn', 'restored', 'introduced', 'announced', 'changed']).optional(),
  /** From when an announced price will hold. */
  effectiveFrom: z.string().optional(),
  /** The price that was announced before, and its day. */
  replaces: z.object({ price: z.string(), effectiveFrom: z.string() }).optional(),
  reason: z.string().optional(),
  /** Where the price from now on was read. */
  read: priceRead,
  revised: z.array(z.string()).optional(),
  lines: z.int().optional(),
  name: z.string().optional(),
  groupDeleted: z.boolean().optional(),
  groupId: z.string().optional(),
  document: z.string().optional(),
  title: z.string().optional(),
  classification: z.string().optional(),
  significance: significance.optional(),
  effectiveDate: z.string().optional(),
  topics: z.array(z.string()).optional(),
  wordsRemoved: z.int().optional(),
  wordsAdded: z.int().optional(),
  from: version.optional(),
  to: version.optional(),
})
export type FeedItem = z.infer<typeof feedItem>

/** A recorded event without what is long in its body. */
export type FeedEvent = {
  seq: string
  id: string
  type: FeedItem['type']
  provider: string
  at: string
  lines?: number
} & {
  body: Record<string, unknown>
  direction?: 'up' | 'down' | 'same'
}
