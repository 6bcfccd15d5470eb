import { z } from 'zod'

/** What tools take. */
export const resourceInput = z
  .string()
  .min(1)
  .max(200)
  .describe('a provider’s name of the resource, its canonical id (openai/gpt-5), or the name or id of an alias group')
export const providerInput = z.string().min(1).max(64).optional().describe('provider slug; left out: every seller')
export const dimensionInput = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('what is priced, such as input_tokens, output_tokens or cache_read_tokens; left out: everything')
export const atInput = z
  .string()
  .max(40)
  .optional()
  .describe('a month (2026-03), a day (2026-03-15), a year or an RFC 3339 instant, UTC; left out: now')

export const confirmedInput = z
  .enum(['provider', 'independent'])
  .optional()
  .describe('only prices that their provider itself confirmed, or on which two independent sources agreed')

/** What tools return. */
export const asOf = z
  .string()
  .describe('the instant the rows were read at: name it with the answer; reading it again gives the same rows')

const line = {
  provider: z.string(),
  source: z.string().describe('the price list that says so; sources of one resource may differ'),
  resource: z.string(),
  renamedTo: z.string().optional().describe('the name the resource has at asOf'),
  dimension: z.string(),
  unit: z.string(),
  currency: z.string(),
  pricingTier: z.record(z.string(), z.string()).describe('{} is the standard tier'),
}
const point = {
  price: z.string().describe('exact decimal, in currency, per one unit'),
  perMillionTokens: z.string().optional().describe('exact, in currency; only for prices per token'),
  recordedAt: z.string().describe('since when this price is recorded'),
  contentHash: z.string().describe('identity of the row in the price history'),
}

const rank = z.string().describe('provider: the provider’s own word; verified; community: a list that people keep')
const confirmation = {
  confirmedAt: z.string().optional().describe('when its source last said so, by asOf; absent where that is not known'),
  contradictedSince: z.string().optional().describe('other sources contradict the price: do not call it confirmed'),
  confirmedBy: z
    .object({
      agree: z.array(z.object({ source: z.string(), rank })),
      disagree: z.array(
        z.object({
          source: z.string(),
          rank,
          price: z.string().optional(),
          held: z.boolean().optional().describe('true where its price waits for review'),
        }),
      ),
    })
    .optional(),
}

export const priceRow = z.object({
  ...line,
  ...point,
  ...confirmation,
  approvalStatus: z.string(),
  replacedAt: z.string().optional().describe('when the next price of this line was recorded, up to asOf'),
  listedAtEnd: z.boolean().describe('false: served at the beginning of the period and no longer at its end'),
})
export type PriceAnswer = z.infer<typeof priceRow>

export const priceLine = z.object({
  ...line,
  prices: z.array(
    z.object({ ...point, change: z.string().optional().describe('against the price before it, rounded') }),
  ),
})
export type PriceLineAnswer = z.infer<typeof priceLine>
