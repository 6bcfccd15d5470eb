import { groupBy } from '../groups.ts'
import { currentRows } from '../lines.ts'
import type { PriceRow } from '../types.ts'
import { chargedDimensions, chargeOf, type Wanted } from './charge.ts'
import { compare, product, sum } from './decimal.ts'
import type { CostPart, RankedCost, SellerCost, Unpriced, Usage, UsageItem } from './types.ts'

/** What counts as input when a request is compared with a step such as `>200000`. */
const IS_INPUT = /^(input|cache_read|cache_write)_.*tokens$/
const PER_REQUEST = 'requests'

/**
 * Returns what a usage costs at each seller in the rows, the cheapest first. Sellers are ranked by complete totals in the
 * currency that most of them use; the others follow without a place.
 * @throws RangeError when a quantity is not a decimal of at least zero
 */
export function costs(rows: Iterable<PriceRow>, usage: Usage): RankedCost[] {
  const sellers = groupBy(currentRows(rows), (row) => JSON.stringify([row.provider, nameOf(row)]))
  const found = [...sellers.values()].map((own) => costOfSeller(own, usage))
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

/** Returns what a usage costs at the one seller of these rows. @throws RangeError, Error when the rows have no seller */
export function costOf(rows: Iterable<PriceRow>, usage: Usage): SellerCost {
  return costOfSeller(currentRows(rows), usage)
}

function costOfSeller(current: PriceRow[], usage: Usage): SellerCost {
  const [first] = current
  if (first === undefined) throw new Error('There are no rows to price the usage with.')
  const charges = itemsOf(current, usage).map((item) => charge(current, usage, item))
  const parts = charges.filter((one): one is CostPart => 'row' in one)
  const total = groupBy(parts, ({ row }) => row.currency)
  return {
    provider: first.provider,
    resource: nameOf(first),
    total: Object.fromEntries([...total].map(([currency, own]) => [currency, sum(own.map(({ cost }) => cost))])),
    parts,
    unpriced: charges.filter((one): one is Unpriced => !('row' in one)),
  }
}

/** A seller that charges for each request does so whether the usage names that or not. */
function itemsOf(rows: PriceRow[], { items }: Usage): UsageItem[] {
  const used = items.filter(({ quantity }) => compare(quantity, 0) > 0)
  const charges = rows.some(({ dimension }) => dimension === PER_REQUEST)
  const named = items.some(({ dimension }) => dimension === PER_REQUEST)
  return charges && !named && used.length > 0 ? [...used, { dimension: PER_REQUEST, quantity: 1 }] : used
}

function charge(rows: PriceRow[], usage: Usage, { dimension, quantity, tier }: UsageItem): CostPart | Unpriced {
  const wanted: Wanted = { tier: { ...usage.tier, ...tier }, contextTokens: contextOf(usage), at: usage.at }
  const amount = product(quantity)
  for (const charged of chargedDimensions(dimension)) {
    const found = chargeOf(
      rows.filter((row) => row.dimension === charged),
      wanted,
    )
    if (!found) continue
    const cost = product(quantity, found.row.price, usage.requests ?? 1)
    return {
      dimension,
      quantity: amount,
      row: found.row,
      cost,
      ...(charged !== dimension && { chargedAs: charged }),
      ...(found.variesByTime && { variesByTime: true }),
    }
  }
  return { dimension, quantity: amount, reason: reasonOf(rows, dimension, wanted) }
}

function contextOf({ contextTokens, items }: Usage): string {
  if (contextTokens !== undefined) return product(contextTokens)
  return sum(items.filter(({ dimension }) => IS_INPUT.test(dimension)).map(({ quantity }) => quantity))
}

function reasonOf(rows: PriceRow[], dimension: string, { tier }: Wanted): string {
  const priced = rows.filter((row) => chargedDimensions(dimension).includes(row.dimension))
  if (priced.length === 0) return 'no price is published'
  const asked = Object.keys(tier).length > 0 ? tierText(tier) : 'the standard tier'
  const tiers = [...new Set(priced.map(({ pricingTier }) => tierText(pricingTier)))].sort()
  return `no price in ${asked}, only in: ${tiers.slice(0, 5).join('; ')}${tiers.length > 5 ? '; …' : ''}`
}

const tierText = (tier: Record<string, string>): string => {
  const entries = Object.entries(tier).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, value]) => `${key} ${value}`).join(', ') || 'the standard tier'
}

/** The currency of a cost that is complete and in one currency. */
function singleCurrency({ total, unpriced }: SellerCost): string | undefined {
  const [currency, ...others] = Object.keys(total)
  return unpriced.length === 0 && others.length === 0 ? currency : undefined
}

function mostCommon(values: string[]): string | undefined {
  const counts = [...groupBy(values, (value) => value)].map(([value, all]) => ({ value, count: all.length }))
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))[0]?.value
}

const nameOf = ({ resource, renamedTo = resource }: PriceRow): string => renamedTo
const byName = (a: SellerCost, b: SellerCost): number =>
  JSON.stringify([a.provider, a.resource]) < JSON.stringify([b.provider, b.resource]) ? -1 : 1
