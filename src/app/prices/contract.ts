import { z } from 'zod'
import { FACTS } from '../../catalog/facts/fact-schema.ts'
import { evidence } from '../../evidence/schema.ts'
import { confirmation } from '../../prices/confirmation/answer-schema.ts'
import { CONFIRMED_BY } from '../../prices/history/history-rules.ts'
import { contract } from '../contract.ts'
import { askedInstant, inJson, instant } from '../parts.ts'

/** `?asOf=`: the instant that a page shows. Left out: everything that is published. */
export const asOf = askedInstant.optional()

/**
 * Which instants can be read: `newest` now, and none before `first` has prices. What is published shows at once: where
 * `asOf` is later than `newest`, it is final from `finalFrom` on.
 */
const range = {
  asOf: instant,
  finalFrom: instant.optional(),
  newest: instant,
  first: instant.optional(),
  providers: z.record(z.string(), z.string()),
}
const shownUnit = { places: z.int(), per: z.string() }
const kind = z.object({
  dimension: z.string(),
  unit: z.string(),
  currency: z.string(),
  tier: z.record(z.string(), z.string()),
  gpu: z.string().optional(),
  gpus: z.int().optional(),
  ...shownUnit,
})

const packed = z.array(z.union([z.int(), z.string()])).describe('kind, price, instant, and so on')

export const readPrices = contract('GET', '/v1/app/prices', {
  access: 'reader',
  query: z.strictObject({
    asOf,
    providers: z
      .string()
      .transform((text) => text.split(','))
      .optional()
      .describe('slugs; needed for providers that price in credits'),
    confirmed: z.enum(CONFIRMED_BY).optional().describe('only prices that were confirmed so'),
  }),
  answer: z.object({
    ...range,
    rows: z.int(),
    creditProviders: z.array(z.string()),
    kinds: z.array(kind),
    instants: z.array(instant),
    models: z
      .array(z.object({ name: z.string(), group: z.string().optional(), maker: z.string().optional() }))
      .describe('what is sold; with its alias group, and the slug of its maker, where they are known'),
    facts: z
      .array(z.object({ context: z.int().optional(), output: z.int().optional(), released: z.string().optional() }))
      .describe('tokens of a request and of an answer, and the day or month of release, as sources state them'),
    resources: z.array(
      z.object({
        provider: z.string(),
        resource: z.string(),
        source: z.string(),
        model: z.int().describe('index into models'),
        prices: packed,
        facts: z.int().optional().describe('index into facts'),
        confirmedBy: z.enum(CONFIRMED_BY).optional().describe('who confirmed every one of its prices'),
        upcoming: packed.optional().describe('announced prices, each with the instant from which it will hold'),
      }),
    ),
  }),
  status: 200,
})

export const exportPrices = contract('GET', '/v1/app/export', {
  access: 'session',
  query: z.strictObject({
    what: z.enum(['csv', 'parquet', 'proof']).describe('proof: what a CSV file is verified with'),
    asOf,
  }),
  download: true,
  status: 200,
})

const resourceName = z.tuple([z.string(), z.string()])
/** Resources that one request shows. */
const MAX_RESOURCES = 60

const seriesRow = z.object({
  provider: z.string(),
  resource: z.string(),
  listed: z.string().describe('the name its source lists it under at asOf, as far as it was asked for'),
  source: z.string(),
  dimension: z.string(),
  unit: z.string(),
  currency: z.string(),
  tier: z.record(z.string(), z.string()),
  price: z.string(),
  recordedAt: instant,
  contentHash: z.string(),
  publishedAt: instant,
  unpublishedAt: instant.nullable(),
  status: z.string(),
  reason: z.string().nullable(),
  effectiveFrom: z.string().nullable(),
  snapshotHash: z.string().nullable(),
  locator: z.string().nullable(),
  contradicted: z
    .object({ price: z.string(), sources: z.array(z.string()), since: instant, isDecided: z.boolean() })
    .nullable()
    .describe('what other sources show instead of the current price; isDecided: a person decided that it stays'),
  confirmation: confirmation
    .nullable()
    .describe('who confirmed a current price; null for others, and before it is recorded'),
  ...shownUnit,
})

const named = { provider: z.string(), resource: z.string() }
const upcomingPrice = z.object({
  ...named,
  source: z.string(),
  dimension: z.string(),
  unit: z.string(),
  currency: z.string(),
  tier: z.record(z.string(), z.string()),
  price: z.string(),
  beginsAt: instant,
  effectiveFrom: z.string(),
  announcedAt: instant,
  ...shownUnit,
})

export const readSeries = contract('GET', '/v1/app/series', {
  access: 'reader',
  query: z.strictObject({
    asOf,
    group: z.string().min(1).max(200).optional().describe('id or name of an alias group'),
    resources: inJson(
      z.array(resourceName).min(1).max(MAX_RESOURCES),
      `is a JSON array of at most ${MAX_RESOURCES} pairs of provider and resource`,
    ).optional(),
  }),
  answer: z.object({
    ...range,
    group: z.object({ id: z.string(), name: z.string() }).optional().describe('the requested alias group'),
    groups: z.array(z.object({ id: z.string(), name: z.string() })).describe('of a single requested resource'),
    members: z.array(z.object({ provider: z.string(), resource: z.string() })),
    rows: z.array(seriesRow),
    credits: z.array(seriesRow).describe('what the credits cost that rows are priced in'),
    leftOut: z.int().describe('older rows that are not among these'),
    renamings: z.array(z.object({ provider: z.string(), from: z.string(), to: z.string(), at: instant })),
    upcoming: z.array(upcomingPrice).describe('prices that are announced at asOf for a day to come'),
    facts: z
      .array(z.object({ ...named, fact: z.enum(FACTS), value: z.string(), source: z.string(), statedSince: instant }))
      .describe('what is stated of the resources beside their prices'),
  }),
  status: 200,
})

/** Where a price was read, and who else shows it. */
export const readEvidence = contract('GET', '/v1/app/evidence/:contentHash', {
  access: 'reader',
  answer: evidence.extend(shownUnit),
  status: 200,
})
