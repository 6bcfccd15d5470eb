import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { type PriceRow, type Pricetape, priceLines } from '../../clients/typescript/src/index.ts'
import { percentOf } from '../lib/text/percent.ts'
import { omittedLines, perMillionTokens, priceText, tierText } from './price-rules.ts'
import { rowsAt } from './read-prices.ts'
import {
  asOf,
  atInput,
  dimensionInput,
  type PriceLineAnswer,
  priceLine,
  providerInput,
  resourceInput,
} from './schema.ts'
import { type Answer, handler, READ_ONLY } from './tool.ts'

const MOST_LINES = 60

const input = {
  resource: resourceInput,
  provider: providerInput,
  dimension: dimensionInput,
  at: atInput.describe('read the history as it stood then: a month, day, year or RFC 3339 instant; left out: now'),
}
const output = { asOf, lines: z.array(priceLine), omitted: z.number().int().describe('further lines, left out') }
type Input = z.infer<z.ZodObject<typeof input>>

export function priceHistoryTool(server: McpServer, prices: Pricetape): void {
  server.registerTool(
    'price_history',
    {
      title: 'How a price changed',
      description:
        'Returns every recorded price of a resource, one line per provider, source, dimension, unit, currency and tier, oldest first. Name `asOf` with the answer.',
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    handler(output, (given: Input, signal) => priceHistory(prices, given, signal)),
  )
}

async function priceHistory(prices: Pricetape, given: Input, signal: AbortSignal): Promise<Answer> {
  const { asOf, rows } = await rowsAt(prices, given, { dimension: given.dimension, signal })
  const all = priceLines(rows).map(lineAnswer).sort(byChanges)
  const lines = all.slice(0, MOST_LINES)
  const omitted = all.length - lines.length
  const none = lines.length === 0 ? ['No price was published then.'] : []
  const more = omittedLines(omitted, 'line', 'name a provider or a dimension')
  const text = [`Price history of ${given.resource}, read at asOf ${asOf}:`, ...none, ...lines.map(lineText), ...more]
  return { text: text.join('\n'), data: { asOf, lines, omitted } }
}

/** @param line newest row first */
function lineAnswer(line: PriceRow[]): PriceLineAnswer {
  const { provider, source, resource, renamedTo, dimension, unit, currency, pricingTier } = line[0]!
  const oldestFirst = line.toReversed()
  return {
    provider,
    source,
    resource,
    ...(renamedTo !== undefined && { renamedTo }),
    dimension,
    unit,
    currency,
    pricingTier,
    prices: oldestFirst.map((row, index) => {
      const { price, recordedAt, contentHash } = row
      const before = oldestFirst[index - 1]?.price
      const [million, change] = [perMillionTokens(row), before === undefined ? undefined : percentOf(before, price)]
      return {
        price,
        ...(million !== undefined && { perMillionTokens: million }),
        recordedAt,
        contentHash,
        ...(change !== undefined && { change }),
      }
    }),
  }
}

/** Lines that changed come first. */
const byChanges = (a: PriceLineAnswer, b: PriceLineAnswer): number =>
  b.prices.length - a.prices.length || (lineName(a) < lineName(b) ? -1 : 1)

function lineName({ provider, resource, source, dimension, currency, pricingTier }: PriceLineAnswer): string {
  const tier = tierText(pricingTier)
  return `${provider} ${resource}, source ${source}, ${dimension}${tier && ` [${tier}]`}, ${currency}`
}

const lineText = (line: PriceLineAnswer): string =>
  [
    `${lineName(line)}:`,
    ...line.prices.map(
      (point) =>
        `  from ${point.recordedAt}: ${priceText({ ...line, ...point })}${point.change ? `, ${point.change}` : ''}`,
    ),
  ].join('\n')
