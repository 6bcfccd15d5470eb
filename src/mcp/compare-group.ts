import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { PriceRow, Pricetape } from '../../clients/typescript/src/index.ts'
import { comparePrices } from './comparison-rules.ts'
import { omittedLines, perMillionTokens, priceText, tierText } from './price-rules.ts'
import { rowsAt } from './read-prices.ts'
import { asOf, atInput, confirmedInput, dimensionInput, priceRow, resourceInput } from './schema.ts'
import { type Answer, handler, READ_ONLY, ToolError } from './tool.ts'

const MOST_ROWS = 100

const seller = priceRow.omit({ replacedAt: true, listedAtEnd: true })
const input = {
  group: resourceInput,
  dimension: dimensionInput.unwrap().default('input_tokens'),
  at: atInput.describe('a month, day, year (its end is read) or RFC 3339 instant; left out: now'),
  tier: z
    .record(z.string(), z.string())
    .optional()
    .describe('compare this tier instead of the standard one, such as {"context": ">200000"}'),
  confirmed: confirmedInput,
}
const output = {
  asOf,
  group: z.object({ id: z.string(), name: z.string(), revision: z.number().int() }).nullable(),
  dimension: z.string(),
  ranked: z.array(seller).describe('the cheapest first; all have the same unit, currency and tier'),
  notCompared: z.array(seller.extend({ reason: z.string() })).describe('must not be ranked against the others'),
  omitted: z.number().int().describe('further prices that were left out: ask price_at with a provider'),
}
type Input = z.infer<z.ZodObject<typeof input>>

export function compareGroupTool(server: McpServer, prices: Pricetape): void {
  server.registerTool(
    'compare_group',
    {
      title: 'Who sells it cheapest',
      description:
        'Ranks the sellers of a resource (an alias group, or a name) by their price of one dimension at an instant. Prices of another currency, unit or tier are listed apart. Name `asOf` with the answer.',
      inputSchema: input,
      outputSchema: output,
      annotations: READ_ONLY,
    },
    handler(output, (given: Input, signal) => compareGroup(prices, given, signal)),
  )
}

async function compareGroup(prices: Pricetape, given: Input, signal: AbortSignal): Promise<Answer> {
  const { target, asOf, rows } = await rowsAt(
    prices,
    { resource: given.group, at: given.at },
    { confirmed: given.confirmed, signal },
  )
  const { ranked, notCompared } = comparePrices(
    rows.filter(({ dimension }) => dimension === given.dimension),
    given.tier,
  )
  if (ranked.length + notCompared.length === 0) throw noPrices(given, asOf, rows)
  const { group } = target
  const data = {
    asOf,
    group: group ? { id: group.id, name: group.resource, revision: group.revision } : null,
    dimension: given.dimension,
    ranked: ranked.slice(0, MOST_ROWS).map(withMillion),
    notCompared: notCompared.slice(0, MOST_ROWS).map(({ row, reason }) => ({ ...withMillion(row), reason })),
    omitted: ranked.slice(MOST_ROWS).length + notCompared.slice(MOST_ROWS).length,
  }
  return { text: textOf(given, data), data }
}

function noPrices({ group, dimension }: Input, asOf: string, rows: PriceRow[]): ToolError {
  const dimensions = [...new Set(rows.map((row) => row.dimension))].sort()
  const instead = dimensions.length > 0 ? ` These dimensions have prices: ${dimensions.join(', ')}.` : ''
  return new ToolError(`No price of ${dimension} of ${group} was published at asOf ${asOf}.${instead}`)
}

const withMillion = (row: PriceRow) => {
  const million = perMillionTokens(row)
  return { ...row, ...(million !== undefined && { perMillionTokens: million }) }
}

type GroupComparison = {
  asOf: string
  ranked: PriceRow[]
  notCompared: (PriceRow & { reason: string })[]
  omitted: number
}

function textOf(
  { group, dimension, tier = {} }: Input,
  { asOf, ranked, notCompared, omitted }: GroupComparison,
): string {
  const named = tierText(tier)
  const line = (row: PriceRow) => `${row.provider} ${row.resource} (source ${row.source}): ${priceText(row)}`
  return [
    `${dimension} of ${group}${named && ` [${named}]`}, the cheapest first, read at asOf ${asOf}:`,
    ...(ranked.length === 0 ? ['  no seller prices this tier'] : ranked.map((row, n) => `  ${n + 1}. ${line(row)}`)),
    ...(notCompared.length === 0 ? [] : ['Not compared, because their numbers mean something else:']),
    ...notCompared.map((row) => `  ${line(row)}: ${row.reason}`),
    ...omittedLines(omitted, 'price', 'ask price_at with a provider'),
  ].join('\n')
}
