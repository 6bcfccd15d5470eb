import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Pricetape } from '../../clients/typescript/src/index.ts'
import { costsText } from './cost-text-rules.ts'
import { omittedLines } from './price-rules.ts'
import { readCosts } from './read-costs.ts'
import { asOf, atInput, priceRow, providerInput, resourceInput } from './schema.ts'
import { type Answer, handler, READ_ONLY } from './tool.ts'

const MOST_ITEMS = 50
const MOST_SELLERS = 40

const quantity = z.union([z.number(), z.string().max(100)])
const tier = z.record(z.string(), z.string())
const input = {
  resource: resourceInput,
  items: z
    .array(
      z.object({
        dimension: z.string().min(1).max(64).describe('input_tokens, cache_read_tokens, output_tokens, gpu_hours …'),
        quantity: quantity.describe('of one request'),
        tier: tier.optional().describe('of this item alone, such as {"ttl": "1h"}'),
      }),
    )
    .min(1)
    .max(MOST_ITEMS)
    .describe('what one request uses. Each token counts once: input_tokens without those that are read from a cache'),
  requests: quantity.optional().describe('how many such requests; left out: one'),
  tier: tier.optional().describe('of all items, such as {"service": "batch"} or {"region": "eu"}'),
  contextTokens: quantity
    .optional()
    .describe('input tokens of a request for prices above 200,000; left out: their sum'),
  at: atInput,
  comparedWith: atInput.describe('another time as in `at`, to show what the same usage cost then'),
  provider: providerInput,
}
const totals = z.record(z.string(), z.string()).describe('exact, by currency')
const pricedRow = priceRow.pick({
  source: true,
  dimension: true,
  unit: true,
  currency: true,
  pricingTier: true,
  price: true,
  recordedAt: true,
  contentHash: true,
})
const seller = z.object({
  place: z.number().int().optional().describe('1 is the cheapest; absent where something has no price'),
  provider: z.string(),
  resource: z.string(),
  total: totals,
  totalThen: totals.optional(),
  parts: z.array(
    z.object({
      dimension: z.string(),
      quantity: z.string().describe('of one request; of all requests in a step of a monthly volume'),
      cost: z.string().describe('exact, of all requests'),
      currency: z.string().describe('of the cost'),
      credit: pricedRow.optional().describe('what one credit costs, where the row is in credits'),
      unconverted: z.string().optional().describe('why the cost is in credits and not in money'),
      chargedAs: z.string().optional().describe('the dimension whose price is used, where this one has none'),
      variesByTime: z.boolean().optional().describe('at other times of the day the price is another'),
      row: pricedRow,
    }),
  ),
  unpriced: z
    .array(z.object({ dimension: z.string(), quantity: z.string(), reason: z.string() }))
    .describe('not in the total'),
})
const output = {
  asOf,
  comparedAsOf: z.string().optional().describe('the instant that totalThen was read at'),
  costs: z.array(seller).describe('the cheapest first'),
  omitted: z.number().int().describe('further sellers that were left out: name a provider'),
}
type Input = z.infer<z.ZodObject<typeof input>>

export function costOfUsageTool(server: McpServer, prices: Pricetape): void {
  server.registerTool(
    'cost_of_usage',
    {
      title: 'What a workload costs',
      description:
        'Returns what a usage costs at each seller of a resource, exactly, with the price of each item and what has no price. Use this instead of multiplying prices yourself. Name `asOf` with the answer, and what is not included.',
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    handler(output, (given: Input, signal) => costOfUsage(prices, given, signal)),
  )
}

async function costOfUsage(prices: Pricetape, given: Input, signal: AbortSignal): Promise<Answer> {
  const { resource, provider, at, comparedWith, ...usage } = given
  const found = await readCosts(prices, { resource, provider, at, comparedWith, usage }, signal)
  const costs = found.costs.slice(0, MOST_SELLERS)
  const omitted = found.costs.length - costs.length
  const then = found.comparedAsOf ? `, compared with asOf ${found.comparedAsOf}` : ''
  const heading = `Cost of ${usage.requests ?? 1} × the usage of ${resource}, the cheapest first, at asOf ${found.asOf}${then}:`
  const more = omittedLines(omitted, 'seller', 'name a provider')
  return { text: [heading, costsText(costs), ...more].join('\n'), data: { ...found, costs, omitted } }
}
