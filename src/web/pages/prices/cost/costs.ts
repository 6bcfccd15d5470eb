import { costOf, costs, type RankedCost, type Usage } from '../../../../../clients/typescript/src/cost/index.ts'
import type { PriceRow } from '../../../../../clients/typescript/src/index.ts'
import { groupedDigits } from '../../../../lib/text/price-text.ts'
import type { SeriesRow } from '../../../api/prices.ts'
import { shownDimension, shownTier } from '../money.ts'
import { type PriceLine, rowAt } from '../table/lines.ts'

/** A seller's cost, and what it was before it changed last. */
export type ShownCost = RankedCost & { key: string; before?: { total: string; until: string } }

/** Returns what a usage costs at each seller of the lines, the cheapest first. `credits`: what their credits cost. */
export function costsOf(lines: PriceLine[], credits: PriceLine[], usage: Usage): ShownCost[] {
  return costsNow(lines, credits, usage).map((cost) => {
    const sold = lines.filter(({ provider, listed }) => provider === cost.provider && listed === cost.resource)
    const own = [...sold, ...credits.filter(({ provider }) => provider === cost.provider)]
    return { ...cost, key: `${cost.provider}\n${cost.resource}`, ...beforeOf(own, usage, cost) }
  })
}

/** As {@link costsOf}, without what it was before. */
export const costsNow = (lines: PriceLine[], credits: PriceLine[], usage: Usage): RankedCost[] =>
  costs(
    [...lines, ...credits].flatMap(({ current }) => (current ? [servedRow(current)] : [])),
    usage,
  )

/** Goes back through the seller's changes to the last one that changed what the usage costs. */
function beforeOf(lines: PriceLine[], usage: Usage, { total, unpriced }: RankedCost): Pick<ShownCost, 'before'> {
  const now = singleTotal(total)
  if (now === undefined || unpriced.length > 0) return {}
  const instants = [...new Set(lines.flatMap(({ steps }) => steps.map(({ at }) => at)))].sort().reverse()
  for (const until of instants) {
    const rows = lines.flatMap((line) => {
      const row = rowAt(line, Date.parse(until) - 1)
      return row ? [servedRow(row)] : []
    })
    if (rows.length === 0) return {}
    const then = costOf(rows, usage)
    const was = singleTotal(then.total)
    if (was === undefined || was.currency !== now.currency || then.unpriced.length > 0) return {}
    if (was.amount !== now.amount) return { before: { total: was.amount, until } }
  }
  return {}
}

/** A total in one currency; absent where there are several or none. */
export function singleTotal(total: Record<string, string>): { currency: string; amount: string } | undefined {
  const [[currency, amount] = [], ...others] = Object.entries(total)
  return currency !== undefined && amount !== undefined && others.length === 0 ? { currency, amount } : undefined
}

/** A row of a chart as the API serves it. */
const servedRow = ({ listed, tier, ...row }: SeriesRow): PriceRow => ({
  ...row,
  resource: listed,
  pricingTier: tier,
  approvalStatus: 'auto_approved',
})

/** What a reader of a total must know: what is not in it, and which prices are not the plain ones. */
export function notesOf({ parts, unpriced }: RankedCost): string[] {
  const tiers = new Set(parts.flatMap(({ row }) => shownTier(row.pricingTier) || []))
  const inCredits = new Set(parts.flatMap(({ unconverted }) => unconverted ?? []))
  const instead = parts.filter(({ chargedAs }) => chargedAs !== undefined)
  return [
    ...unpriced.map(({ dimension, reason }) => `Without ${shownDimension(dimension).toLowerCase()}: ${reason}`),
    ...[...inCredits].map((reason) => `Not in money: ${reason}`),
    ...(tiers.size > 0 ? [`Priced at ${[...tiers].join('; ')}`] : []),
    ...instead.map(({ dimension, chargedAs }) => `${shownDimension(dimension)} at the price of ${words(chargedAs!)}`),
    ...(parts.some(({ variesByTime }) => variesByTime) ? ['Other prices at other times of the day'] : []),
  ]
}

const words = (dimension: string): string => shownDimension(dimension).toLowerCase()

const CENTS = 2
const DIGITS_OF_LESS = 3

/** Returns an exact amount to the cent, and what is less than a cent by its first digits: `23,280.00`, `0.000123`. */
export function shownAmount(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const first = fraction.search(/[1-9]/)
  const places = whole !== '0' || first < CENTS ? CENTS : first + DIGITS_OF_LESS
  if (fraction.length <= places) return `${groupedDigits(whole)}.${fraction.padEnd(CENTS, '0')}`
  const rounded = String(BigInt(whole + fraction.slice(0, places)) + (fraction[places]! >= '5' ? 1n : 0n))
  const padded = rounded.padStart(places + 1, '0')
  return `${groupedDigits(padded.slice(0, -places))}.${padded.slice(-places)}`
}
