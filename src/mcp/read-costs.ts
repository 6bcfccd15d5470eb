import { costs, type Usage } from '../../clients/typescript/src/cost/index.ts'
import type { Pricetape } from '../../clients/typescript/src/index.ts'
import { type ComparedCost, comparedCosts } from './cost-text-rules.ts'
import { rowsAt } from './read-prices.ts'
import { ToolError } from './tool.ts'

/** What costs are asked for: of which resource, when, and for which usage. */
export type CostQuestion = {
  resource: string
  provider?: string
  /** A month, day, year (its end is read) or RFC 3339 instant; left out, now. */
  at?: string
  /** Another such time, whose prices are applied to the same usage. */
  comparedWith?: string
  usage: Usage
}
/** The costs, and the instants that their prices were read at. */
export type CostAnswer = { asOf: string; comparedAsOf?: string; costs: ComparedCost[] }

/** Returns what a usage costs at each seller of a resource. @throws ToolError when nothing is priced or readable */
export async function readCosts(prices: Pricetape, question: CostQuestion, signal: AbortSignal): Promise<CostAnswer> {
  const now = await costsAt(prices, question, question.at, signal)
  if (now.costs.length === 0)
    throw new ToolError(`No price of ${question.resource} was published at asOf ${now.asOf}: ask for another time.`)
  if (question.comparedWith === undefined) return now
  const then = await costsAt(prices, question, question.comparedWith, signal)
  return { asOf: now.asOf, comparedAsOf: then.asOf, costs: comparedCosts(now.costs, then.costs) }
}

async function costsAt(
  prices: Pricetape,
  { resource, provider, usage }: CostQuestion,
  at: string | undefined,
  signal: AbortSignal,
): Promise<CostAnswer> {
  const { asOf, rows } = await rowsAt(prices, { resource, provider, at }, { credits: true, signal })
  try {
    return { asOf, costs: costs(rows, { ...usage, at: usage.at ?? timeIn(at) }) }
  } catch (error) {
    if (error instanceof RangeError) throw new ToolError(error.message)
    throw error
  }
}

/** Only an instant has a time of day: a month or a day stands for all of its hours. */
const timeIn = (at: string | undefined): string | undefined => (at?.includes('T') ? at : undefined)
