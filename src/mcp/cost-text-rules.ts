import type { CostPart, RankedCost } from '../../clients/typescript/src/cost/index.ts'
import { compareDecimals, minus } from '../lib/decimal.ts'
import { groupedDecimal } from '../lib/text/price-text.ts'
import { priceText, tierText } from './price-rules.ts'

/** The cost of a usage at a seller, and what the same cost at another instant. */
export type ComparedCost = RankedCost & { totalThen?: Record<string, string> }

/** Returns the costs with what each seller charged for the same usage at another instant. */
export function comparedCosts(now: RankedCost[], then: RankedCost[]): ComparedCost[] {
  const totals = new Map(then.map((cost) => [JSON.stringify([cost.provider, cost.resource]), cost.total]))
  return now.map((cost) => {
    const totalThen = totals.get(JSON.stringify([cost.provider, cost.resource]))
    return { ...cost, ...(totalThen && { totalThen }) }
  })
}

/** Returns the costs as lines for people: a total for each seller, below it the price of each item. */
export const costsText = (costs: ComparedCost[]): string =>
  costs.map((cost) => [headingOf(cost), ...cost.parts.map(partText), ...unpricedTexts(cost)].join('\n')).join('\n')

function headingOf({ place, provider, resource, total, totalThen, unpriced }: ComparedCost): string {
  const isPart = unpriced.length > 0 && Object.keys(total).length > 0 ? ' for what has a price' : ''
  const then = totalThen === undefined ? '' : `, then ${totalText(totalThen)}${differenceText(totalThen, total)}`
  return `${place === undefined ? '-' : `${place}.`} ${provider} ${resource}: ${totalText(total)}${isPart}${then}`
}

/** Returns `23,280 USD`; `no price` for an empty total. */
export function totalText(total: Record<string, string>): string {
  const amounts = Object.entries(total).map(([currency, amount]) => `${groupedDecimal(amount)} ${currency}`)
  return amounts.join(' and ') || 'no price'
}

/** Returns ` (120 USD less now)`; an empty text where the two totals cannot be compared. */
function differenceText(then: Record<string, string>, now: Record<string, string>): string {
  const [currency, ...others] = Object.keys({ ...then, ...now })
  const [before, after] = [then[currency!], now[currency!]]
  if (others.length > 0 || before === undefined || after === undefined) return ''
  const order = compareDecimals(after, before)
  if (order === 0) return ' (the same)'
  const [more, less] = order > 0 ? [after, before] : [before, after]
  return ` (${groupedDecimal(minus(more, less))} ${currency} ${order > 0 ? 'more' : 'less'} now)`
}

function partText({ dimension, quantity, row, cost, currency, chargedAs, variesByTime, ...credits }: CostPart): string {
  const tier = tierText(row.pricingTier)
  return [
    `   ${quantity} ${dimension}${chargedAs ? ` as ${chargedAs}` : ''}: ${groupedDecimal(cost)} ${currency}`,
    `at ${priceText(row)}${tier && ` [${tier}]`}${creditText(credits)}`,
    `source ${row.source}, recorded ${row.recordedAt}`,
    ...(variesByTime ? ['another price at other times of the day'] : []),
  ].join(', ')
}

function creditText({ credit, unconverted }: Pick<CostPart, 'credit' | 'unconverted'>): string {
  if (unconverted !== undefined) return `, not in money: ${unconverted}`
  if (credit === undefined) return ''
  return `, a credit at ${credit.price} ${credit.currency} [${tierText(credit.pricingTier)}]`
}

const unpricedTexts = ({ unpriced }: RankedCost): string[] =>
  unpriced.map(({ dimension, quantity, reason }) => `   ${quantity} ${dimension}: not included, ${reason}`)
