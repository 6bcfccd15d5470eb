import { groupBy } from '../groups.ts'
import { currentRows, lineName } from '../lines.ts'
import type { PriceRow } from '../types.ts'
import { isCreditPrice } from './credits.ts'
import { compare, sum } from './decimal.ts'
import { partsOf } from './parts.ts'
import type { CostPart, RankedCost, SellerCost, Unpriced, Usage } from './types.ts'

/**
 * Returns what a usage costs at each seller in the rows, the cheapest first. Sellers are ranked by complete totals in the
 * currency that most of them use; the others follow without a place.
 * @throws RangeError when a quantity is not a decimal of at least zero
 */
export function costs(rows: Iterable<PriceRow>, usage: Usage): RankedCost[] {
  const found = [...groupBy(currentRows(rows), ({ provider }) => provider).values()].flatMap((own) => {
    const { sold, credits } = withoutCredits(own)
    return [...groupBy(sold, lineName).values()].map((seller) => costOfSeller(seller, credits, usage))
  })
  const currency = mostCommon(found.flatMap((cost) => singleCurrency(cost) ?? []))
  const ranked = found
    .filter((cost) => currency !== undefined && singleCurrency(cost) === currency)
    .sort((a, b) => compare(a.total[currency!]!, b.total[currency!]!) || byName(a, b))
  const placed = ranked.map((cost) => ({
    ...cost,
    place: 1 + ranked.findIndex(({ total }) => total[currency!] === cost.total[currency!]),
  }))
  return [...placed, ...found.filter((cost) => !ranked.includes(cost)).sort(byName)]
}

/**
 * Returns what a usage costs at the one seller of these rows, among which may be what its provider's credits cost.
 * @throws RangeError, Error when the rows have no seller
 */
export function costOf(rows: Iterable<PriceRow>, usage: Usage): SellerCost {
  const { sold, credits } = withoutCredits(currentRows(rows))
  return costOfSeller(sold, credits, usage)
}

/** What a provider's credits cost is not an offer of its own beside what it sells for them. */
function withoutCredits(rows: PriceRow[]): { sold: PriceRow[]; credits: PriceRow[] } {
  const [credits, sold] = [rows.filter(isCreditPrice), rows.filter((row) => !isCreditPrice(row))]
  return sold.length > 0 ? { sold, credits } : { sold: credits, credits: [] }
}

function costOfSeller(current: PriceRow[], credits: PriceRow[], usage: Usage): SellerCost {
  const [first] = current
  if (first === undefined) throw new Error('There are no rows to price the usage with.')
  const charges = partsOf(current, credits, usage)
  const parts = charges.filter((one): one is CostPart => 'row' in one)
  const total = groupBy(parts, ({ currency }) => currency)
  return {
    provider: first.provider,
    resource: lineName(first),
    total: Object.fromEntries([...total].map(([currency, own]) => [currency, sum(own.map(({ cost }) => cost))])),
    parts,
    unpriced: charges.filter((one): one is Unpriced => !('row' in one)),
  }
}

/** The currency of a cost that is complete, in one currency, and in money. */
function singleCurrency({ total, parts, unpriced }: SellerCost): string | undefined {
  const [currency, ...others] = Object.keys(total)
  const isWhole = unpriced.length === 0 && parts.every(({ unconverted }) => unconverted === undefined)
  return isWhole && others.length === 0 ? currency : undefined
}

function mostCommon(values: string[]): string | undefined {
  const counts = [...groupBy(values, (value) => value)].map(([value, all]) => ({ value, count: all.length }))
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))[0]?.value
}

const byName = (a: SellerCost, b: SellerCost): number =>
  JSON.stringify([a.provider, a.resource]) < JSON.stringify([b.provider, b.resource]) ? -1 : 1
