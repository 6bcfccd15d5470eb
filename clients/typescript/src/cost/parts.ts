import type { PriceRow } from '../types.ts'
import { type Charge, type ChargeQuery, chargedDimensions, chargeOf } from './charge.ts'
import { creditPriceOf, isInCredits } from './credits.ts'
import { compare, product, sum } from './decimal.ts'
import type { CostPart, Unpriced, Usage, UsageItem } from './types.ts'
import { type Step, sharesOf } from './volume.ts'

/** What counts as input when a request is compared with a step such as `>200000`. */
const IS_INPUT = /^(input|cache_read|cache_write)_.*tokens$/
const PER_REQUEST = 'requests'

/** What a month used so far, by the first step of a line. */
type MonthUsage = Map<PriceRow, string>

/** Returns what the items of a usage cost at one seller, in their order, and what of them has no price. */
export function partsOf(rows: PriceRow[], credits: PriceRow[], usage: Usage): (CostPart | Unpriced)[] {
  // Items that are priced by the same line share the steps of its volume.
  const used: MonthUsage = new Map()
  return itemsOf(rows, usage).flatMap(({ dimension, quantity: given, tier }) => {
    const wanted: ChargeQuery = { tier: { ...usage.tier, ...tier }, contextTokens: contextOf(usage), at: usage.at }
    const quantity = product(given)
    const found = findCharge(rows, dimension, wanted)
    if (!found) return [{ dimension, quantity, reason: reasonOf(rows, dimension, wanted) }]
    const part = (row: PriceRow, quantity: string, cost: string): CostPart => ({
      ...{ dimension, quantity, row },
      ...moneyOf(row, cost, credits, wanted),
      ...(row.dimension !== dimension && { chargedAs: row.dimension }),
      ...(found.variesByTime && { variesByTime: true }),
    })
    const { row, steps } = found
    const amount = product(quantity, usage.requests ?? 1)
    if (steps === undefined) return [part(row, quantity, product(amount, row.price))]
    const { shares, rest } = takeShares(used, steps, amount)
    const left = compare(rest, 0) > 0 ? [{ dimension, quantity: rest, reason: volumeReason(steps) }] : []
    return [...shares.map(({ row, quantity }) => part(row, quantity, product(quantity, row.price))), ...left]
  })
}

/** A seller that charges for each request does so whether the usage names that or not. */
function itemsOf(rows: PriceRow[], { items }: Usage): UsageItem[] {
  const used = items.filter(({ quantity }) => compare(quantity, 0) > 0)
  const charges = rows.some(({ dimension }) => dimension === PER_REQUEST)
  const named = items.some(({ dimension }) => dimension === PER_REQUEST)
  return charges && !named && used.length > 0 ? [...used, { dimension: PER_REQUEST, quantity: 1 }] : used
}

function findCharge(rows: PriceRow[], dimension: string, wanted: ChargeQuery): Charge | undefined {
  for (const charged of chargedDimensions(dimension)) {
    const own = rows.filter((row) => row.dimension === charged)
    const found = chargeOf(own, wanted)
    if (found) return found
  }
  return undefined
}

/** The cost in the currency of a row, or in what its credits cost. */
function moneyOf({ currency, ...row }: PriceRow, cost: string, credits: PriceRow[], { tier }: ChargeQuery) {
  if (!isInCredits({ ...row, currency })) return { cost, currency }
  const found = creditPriceOf(currency, credits, tier)
  if ('unconverted' in found) return { cost, currency, ...found }
  return { cost: product(cost, found.credit.price), currency: found.credit.currency, ...found }
}

function takeShares(used: MonthUsage, steps: Step[], amount: string) {
  const line = steps[0]!.row
  const before = used.get(line) ?? '0'
  used.set(line, sum([before, amount]))
  return sharesOf(steps, amount, before)
}

function contextOf({ contextTokens, items }: Usage): string {
  if (contextTokens !== undefined) return product(contextTokens)
  return sum(items.filter(({ dimension }) => IS_INPUT.test(dimension)).map(({ quantity }) => quantity))
}

function reasonOf(rows: PriceRow[], dimension: string, { tier }: ChargeQuery): string {
  const priced = rows.filter((row) => chargedDimensions(dimension).includes(row.dimension))
  if (priced.length === 0) return 'no price is published'
  const asked = Object.keys(tier).length > 0 ? tierText(tier) : 'the standard tier'
  const tiers = [...new Set(priced.map(({ pricingTier }) => tierText(pricingTier)))].sort()
  return `no price in ${asked}, only in: ${tiers.slice(0, 5).join('; ')}${tiers.length > 5 ? '; …' : ''}`
}

/** What is free up to a volume has no price in a list either. */
function volumeReason(steps: Step[]): string {
  const volumes = steps.map(({ row }) => row.pricingTier.volume).filter((volume) => volume !== undefined)
  return `no price is published for this part of the monthly volume, only for: ${volumes.join('; ')}`
}

const tierText = (tier: Record<string, string>): string => {
  const entries = Object.entries(tier).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, value]) => `${key} ${value}`).join(', ') || 'the standard tier'
}
