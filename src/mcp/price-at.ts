import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { PriceRow, Pricetape } from '../../clients/typescript/src/index.ts'
import type { Target } from './name-rules.ts'
import { pricesIn, pricesText } from './period-prices-rules.ts'
import { omittedLines } from './price-rules.ts'
import { readRows, rowsAt } from './read-prices.ts'
import { asOf, atInput, confirmedInput, dimensionInput, priceRow, providerInput, resourceInput } from './schema.ts'
import { type Answer, handler, READ_ONLY } from './tool.ts'

const MOST_ROWS = 80

const input = {
  resource: resourceInput,
  at: atInput,
  provider: providerInput,
  dimension: dimensionInput,
  confirmed: confirmedInput,
}
const output = {
  asOf,
  startAsOf: z.string().optional().describe('only for a period: its beginning was read at this instant'),
  prices: z.array(priceRow),
  omitted: z.number().int().describe('further prices that were left out: name a provider or a dimension'),
}
type Input = z.infer<z.ZodObject<typeof input>>

export function priceAtTool(server: McpServer, prices: Pricetape): void {
  server.registerTool(
    'price_at',
    {
      title: 'What it costs, or cost then',
      description:
        'Returns the reviewed prices of a resource at an instant, or all that held during a month, day or year. Each has its provider, source, tier, unit, currency and the instant it was recorded. Name `asOf` with the answer. Never add or compare prices of different currencies, units or tiers.',
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    handler(output, (given: Input, signal) => priceAt(prices, given, signal)),
  )
}

async function priceAt(prices: Pricetape, given: Input, signal: AbortSignal): Promise<Answer> {
  const { dimension, confirmed } = given
  const { period, target, ...end } = await rowsAt(prices, given, { dimension, confirmed, signal })
  const start = period?.from && (await readRows(prices, target, { at: period.from, dimension, confirmed, signal }))
  const found = pricesIn(end.rows, { start: start?.rows, from: period?.from, first: target.maker })
  const shown = found.slice(0, MOST_ROWS)
  const data = {
    asOf: end.asOf,
    ...(start && { startAsOf: start.asOf }),
    prices: shown,
    omitted: found.length - shown.length,
  }
  if (found.length === 0) return { text: await nothing(prices, target, { given, asOf: end.asOf, signal }), data }
  const more = omittedLines(data.omitted, 'price', 'name a provider or a dimension')
  return { text: [heading(given, end.asOf, start?.asOf), pricesText(shown), ...more].join('\n'), data }
}

function heading({ resource, at }: Input, end: string, start: string | undefined): string {
  const read = start ? `read at asOf ${end} and, for its beginning, at asOf ${start}` : `read at asOf ${end}`
  return `Prices of ${resource}${at ? ` ${start ? 'in' : 'at'} ${at}` : ''}, ${read}:`
}

/** Says since when something is recorded: nothing was found at the instant that was asked about. */
async function nothing(
  prices: Pricetape,
  target: Target,
  { given, asOf, signal }: { given: Input; asOf: string; signal: AbortSignal },
): Promise<string> {
  const { rows } = await readRows(prices, target, { dimension: given.dimension, signal })
  const first = rows.map((row: PriceRow) => row.recordedAt).sort()[0]
  const what = `${given.dimension ? `${given.dimension} of ` : ''}${given.resource}`
  const none = `No price of ${what} was published at asOf ${asOf}.`
  return first ? `${none} The first one was recorded at ${first}: ask for that time or later.` : none
}
