import { z } from 'zod'
import { contract } from '../../contract.ts'
import { instant } from '../../parts.ts'

const KINDS = ['price', 'mass_change', 'removal', 'rename', 'line_removal', 'unreadable', 'snapshot', 'terms'] as const
/** How long an item has waited at least. */
const AGES = ['1h', '12h', '1d', '3d', '7d'] as const

const counts = z.array(z.object({ value: z.string(), count: z.int() }))
const reason = z.object({
  code: z.string().describe('what the queue is filtered by'),
  name: z.string(),
  meaning: z.string().describe('a sentence'),
})
const revision = z.string().describe('another one where a decision would carry out something else')
const item = z.object({
  id: z.string(),
  revision,
  kind: z.enum(KINDS),
  provider: z.string(),
  source: z.string(),
  reasons: z.array(reason),
  openedAt: instant,
  question: z.string(),
  endsBy: z.array(z.string()),
  resources: z.array(z.string()),
  texts: z.array(z.string()),
  rows: z.int().describe('how many price rows it is about'),
  snapshot: z.string().optional().describe('of an item about a whole list: its bytes'),
})
const line = z.object({
  contentHash: z.string(),
  resource: z.string(),
  name: z.string().describe('what it prices, in words'),
  unit: z.string(),
  perUnit: z.string().describe('the unit, in words'),
  price: z.string(),
  publishedPrice: z.string().optional(),
  change: z.string().optional().describe('in per cent of the published price'),
  reasons: z.array(z.string()).describe('why it is held, a sentence each'),
  facts: z.array(z.string()).describe('what speaks for it and against it, a sentence each'),
  listed: z.string().optional().describe('how long its source has listed it'),
  witnesses: z.array(z.object({ source: z.string(), url: z.string() })).describe('pages that show the price'),
})
const neighbour = z.object({
  source: z.string(),
  provider: z.string(),
  resource: z.string(),
  name: z.string().describe('what it prices, in words'),
  price: z.string().describe('as people read it'),
  perUnit: z.string(),
  sameResource: z.boolean(),
})
const beside = z.object({
  contentHash: z.string(),
  resource: z.string(),
  dimension: z.string(),
  snapshot: z.string().optional(),
  locator: z.string().optional(),
  excerpt: z.string().optional().describe('what the snapshot says around the price'),
  neighbours: z.array(neighbour),
})
const document = z.object({
  provider: z.string(),
  document: z.string(),
  title: z.string(),
  url: z.string(),
  text: z.string(),
  difference: z
    .object({
      before: z.string().describe('the version in force'),
      classification: z.string(),
      wordsAdded: z.int(),
      wordsRemoved: z.int(),
      diff: z.string(),
      truncated: z.boolean(),
    })
    .optional(),
})
const closed = z.object({
  decision: z.enum(['approved', 'rejected', 'superseded']),
  decidedAt: instant,
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
})

export const listReviewItems = contract('GET', '/v1/operator/review', {
  access: 'operator',
  query: z.strictObject({
    kind: z.enum(KINDS).optional(),
    provider: z.string().optional(),
    source: z.string().optional(),
    reason: z.string().optional(),
    resource: z.string().optional(),
    olderThan: z.enum(AGES).optional(),
    all: z.literal('true').optional().describe('also what time ends without a person'),
  }),
  answer: z.object({
    items: z.array(item),
    matching: z.int().describe('how many meet the filter; the first of them are listed'),
    all: z.object({
      waiting: z.int(),
      kinds: counts,
      providers: counts,
      sources: counts,
      reasons: z.array(z.object({ value: z.string(), name: z.string(), count: z.int() })),
    }),
  }),
  status: 200,
})

/** An item that waits with what a decision needs, or how it was decided meanwhile. */
export const readReviewItem = contract('GET', '/v1/operator/review/:itemId', {
  access: 'operator',
  answer: z.object({
    item: item.optional(),
    lines: z.array(line),
    known: z
      .array(
        z.object({
          resource: z.string(),
          name: z.string(),
          price: z.string(),
          perUnit: z.string(),
          waits: z.boolean().describe('it is not published yet'),
          ends: z.boolean().optional().describe('approving the item removes it'),
        }),
      )
      .describe('the prices of the resources that are missing, unreadable or renamed'),
    beside: z.array(beside),
    document: document.optional(),
    closed: closed.optional(),
  }),
  status: 200,
})

/** Decides items one by one: one that was decided meanwhile does not stop the others. */
export const decideReviewItems = contract('POST', '/v1/operator/review/decisions', {
  access: 'operator',
  audit: 'by_the_route',
  body: z.strictObject({
    ids: z.array(z.string()).min(1, 'name at least one item').max(200, 'at most 200 at once'),
    revisions: z
      .record(z.string(), z.string())
      .optional()
      .describe('the revision of each item that was shown: one that is no longer at it is not decided'),
    decision: z.enum(['approve', 'reject', 'edit']),
    reason: z.string().trim().min(1, 'say why').max(500, 'at most 500 characters'),
    edits: z
      .array(z.strictObject({ contentHash: z.string(), price: z.string() }))
      .max(200)
      .optional(),
    dryRun: z.boolean().optional().describe('decide nothing: say what would come of it'),
  }),
  bodyLimit: 64 * 1024,
  answer: z.object({
    decided: z.array(
      z.object({
        id: z.string(),
        events: z.record(z.string(), z.int()),
        revision: z.string().optional().describe('what was decided or previewed: to be decided as it is'),
        problem: z.string().optional().describe('why nothing was decided'),
        code: z.string().optional().describe('the same, of the catalogue of errors'),
        closed: closed.optional().describe('how it was decided before'),
      }),
    ),
    events: z.record(z.string(), z.int()),
  }),
  status: 200,
})
