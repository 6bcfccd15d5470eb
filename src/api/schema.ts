import { z } from 'zod'
import { RANKS } from '../catalog/schema.ts'

/** The shapes the read API answers with, as the OpenAPI document shows them. Clients ignore fields they do not know. */
const instantText = z.string().meta({ format: 'date-time', examples: ['2026-11-21T10:15:00.000Z'] })
const providerSlug = z.string().meta({ examples: ['openai'] })

export const errorBody = z
  .object({
    error: z.object({
      code: z.string().describe('stable, for programs; handle an unknown code by the HTTP status'),
      message: z.string().describe('for people; may change'),
      field: z.string().optional().describe('present when a parameter is at fault'),
    }),
  })
  .meta({ id: 'Error' })

const rank = z.enum(RANKS).describe('provider: the provider’s own; verified at the provider’s; community: a list')
const confirmation = z
  .object({
    agree: z.array(z.object({ source: z.string(), rank })).describe('sources that said so when they were last read'),
    disagree: z
      .array(
        z.object({
          source: z.string(),
          rank,
          price: z.string().optional().describe('absent where it has none, or one that is held'),
          held: z.boolean().optional().describe('true where its price waits for review'),
        }),
      )
      .describe('sources that said otherwise'),
  })
  .meta({ id: 'Confirmation' })

const priceRow = z
  .object({
    provider: providerSlug,
    source: z.string().describe('source of the price line; joins with renamedTo'),
    resource: z.string().describe("the provider's name of the resource"),
    dimension: z.string().describe('what is priced'),
    unit: z.string().describe('<currency>_per_<one thing>'),
    currency: z.string().describe('currency of price; not always USD'),
    pricingTier: z
      .record(z.string(), z.string())
      .describe(
        'tier of the price line; {} is the standard tier. timeOfDay has days, windows and a zone: 16:30Z-00:30Z, or Mo-Fr,!PH 09:00-12:00 Asia/Shanghai (PH: public holidays)',
      ),
    price: z.string().describe('exact decimal, in currency, per one unit'),
    recordedAt: instantText.describe('the newest of a price line at an instant is its current price'),
    contentHash: z.string().describe('row identity; the ordering key of paging'),
    approvalStatus: z.enum(['approved', 'auto_approved']).describe('the status at asOf'),
    renamedTo: z.string().optional().describe('on rows under an old name: the name the resource has at asOf'),
    continues: z
      .string()
      .optional()
      .describe('on the first row after another source began to decide: the source that was served until then'),
    confirmedAt: instantText
      .optional()
      .describe('with include=confirmation: when its source last said so, by asOf; absent where that is not known'),
    contradictedSince: instantText
      .optional()
      .describe('with include=confirmation, in place of confirmedAt: since when other sources contradict the price'),
    confirmedBy: confirmation
      .optional()
      .describe('with include=confirmation: which sources agreed as of asOf; absent on superseded rows'),
  })
  .meta({ id: 'PriceRow' })

const member = z.object({ provider: providerSlug, resource: z.string() }).meta({ id: 'Member' })

export const historyAnswer = z
  .object({
    asOf: instantText.describe('the instant the rows were read at; sending it again reproduces the rows'),
    since: instantText.optional().describe('only with since: the earlier instant'),
    nextCursor: z.string().nullable().describe('for the next page; null when the walk is finished'),
    alias: z.object({ id: z.uuid(), name: z.string(), revision: z.int() }).optional(),
    members: z.array(member).optional().describe('only with alias: the whole group'),
    unpublished: z
      .array(z.string())
      .optional()
      .describe('only with since: the contentHash of each row that the answer had at since and has no longer'),
    prices: z.array(priceRow),
  })
  .meta({ id: 'PriceHistory' })

export const providersAnswer = z
  .object({
    providers: z.array(
      z.object({
        provider: providerSlug,
        name: z.string(),
        status: z.enum(['active', 'pending']),
        activatedAt: instantText.nullable(),
        freshness: z.enum(['fresh', 'stale', 'unknown']),
        lastCheckedAt: instantText.nullable(),
        confirmedAt: instantText
          .nullable()
          .describe('when each source that is served for it was last read well: the oldest of these instants'),
      }),
    ),
  })
  .meta({ id: 'Providers' })

export const aliasesAnswer = z
  .object({
    groups: z.array(
      z.object({
        id: z.uuid(),
        resource: z.string().describe('display name of the group'),
        revision: z.int(),
        updatedAt: instantText,
        members: z.array(member).describe('exact resource names'),
        retired: z.boolean().describe('true only when no member is listed any more; members is then empty'),
      }),
    ),
    version: z.int().describe('rises with every change to any group, deletions included'),
    unpriced: z
      .array(
        z.object({
          group: z.string(),
          provider: providerSlug,
          resource: z.string(),
          lastPricedAt: instantText.nullable(),
        }),
      )
      .describe('members whose resource has not been seen priced for a week'),
    resources: z.array(
      z.object({
        provider: providerSlug,
        resource: z.string(),
        canonicalResource: z.string().nullable(),
        comparisonResource: z.string().describe('its group’s name, or its canonical id, or its own name'),
      }),
    ),
    canReview: z.boolean().describe('always false for an API key'),
  })
  .meta({ id: 'Aliases' })

export const catalogAnswer = z
  .object({
    updatedAt: instantText.nullable().describe('null when the provider has no catalog yet'),
    resources: z.array(
      z.object({
        resource: z.string().describe("provider's name"),
        canonicalResource: z.string().nullable(),
        dimensions: z.array(z.string()),
        confirmedAt: instantText
          .nullable()
          .describe('when all of its prices were last confirmed; null where one never was, or is contradicted'),
      }),
    ),
    docs: z.array(z.object({ doc: z.string().describe('document slug'), url: z.string() })),
  })
  .meta({ id: 'Catalog' })
