import { z } from 'zod'
import { currency, pricingTier, RANKS, slug } from '../../catalog/schema.ts'
import { CANONICAL_DECIMAL } from '../../lib/decimal.ts'
import { SHA256_HEX } from '../../lib/hash.ts'

const MILLISECOND_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

export const wireInstant = z.string().regex(MILLISECOND_UTC).describe('RFC 3339, UTC, milliseconds')
export const wirePrice = z.string().regex(CANONICAL_DECIMAL).describe('exact decimal, per one unit, in the currency')
const contentHash = z.string().regex(SHA256_HEX).describe('identity of the price row, as in the price history')

/** A price as it was recorded: the row of the price history it can be read in again. */
export const pricePoint = z.object({ price: wirePrice, recordedAt: wireInstant, contentHash })
export type PricePoint = z.infer<typeof pricePoint>

/** Which price of a resource: the line's identity beside provider, source and resource. */
export const lineOfResource = z.object({
  dimension: z.string().describe('what is priced, e.g. input_tokens'),
  unit: z.string().describe('e.g. usd_per_token'),
  currency,
  pricingTier: pricingTier.describe('{} is the standard tier'),
})
export type LineOfResource = z.infer<typeof lineOfResource>

/** The resource an event is about. */
export const resourceIdentity = z.object({
  source: slug.describe('the source that says so'),
  resource: z.string().describe("the provider's own name of the resource"),
  canonicalResource: z.string().optional().describe('<provider_slug>/<resource_name> of its maker, where known'),
})
export type ResourceIdentity = z.infer<typeof resourceIdentity>

/** Where the price that holds from now on was read. Absent where no page is known: a person entered it, or the page is not kept. */
export const priceRead = z
  .object({
    address: z.string().describe('the page, the file, or the package of a list, without keys and passwords'),
    at: wireInstant.describe('when these bytes were read first'),
    rank: z.enum(RANKS).describe('whose word the source is for this provider'),
  })
  .optional()
  .describe('where current was read; absent without current, and where no page is known')
export type PriceSource = NonNullable<z.infer<typeof priceRead>>

/** Prices for people to read. Events that were recorded before it existed have none. */
export const shownPrices = z
  .object({
    previous: z.string().optional(),
    current: z.string().optional(),
    per: z.string().describe('the usual unit, e.g. million tokens'),
    change: z.string().optional().describe('from previous to current, rounded; absent where there is no proportion'),
  })
  .optional()
  .describe('the prices as people read them, in the currency; never to be calculated with')
export type ShownPrices = NonNullable<z.infer<typeof shownPrices>>

/** One price line of a listed resource with its price at the event's instant. */
export const listedLine = lineOfResource.extend(pricePoint.shape)
export type ListedLine = z.infer<typeof listedLine>

/** What every event body begins with. `type` is the event's name followed by the provider's slug. */
export const envelope = <T extends string>(version: T) =>
  z.object({
    version: z.literal(version),
    type: z.string(),
    id: z.string().describe('evt_<uuid>; the same on every retry and resend'),
    createdAt: wireInstant,
    eligibleAt: wireInstant.describe('when the change was published'),
    provider: slug,
  })

/** The group because of which a price event was sent; only webhooks with alias groups receive it. */
export const aliasField = z.object({ id: z.uuid(), name: z.string() }).optional()
