import { currentRows, type PriceRow } from '../../clients/typescript/src/index.ts'
import { compareDecimals } from '../lib/decimal.ts'
import { tierText } from './price-rules.ts'

/** What can be compared by its number, and what cannot, with the reason. */
export type Comparison = { ranked: PriceRow[]; notCompared: { row: PriceRow; reason: string }[] }

/**
 * Returns the current prices of one dimension, the cheapest first. Only prices of the same unit, currency and tier are
 * compared: those that most sellers use, or the tier that was asked for.
 */
export function comparePrices(rows: PriceRow[], tier: Record<string, string> = {}): Comparison {
  const current = currentRows(rows)
  const wanted = tierKey(tier)
  const inTier = current.filter((row) => tierKey(row.pricingTier) === wanted)
  const basis = mostCommon(inTier.map(({ unit, currency }) => `${currency} ${unit}`))
  const ranked = inTier.filter(({ unit, currency }) => `${currency} ${unit}` === basis)
  const compared = new Set(ranked)
  const reasonOf = (row: PriceRow) =>
    tierKey(row.pricingTier) === wanted
      ? `priced in ${row.currency} as ${row.unit}`
      : `another tier: ${tierText(row.pricingTier) || 'standard'}`
  return {
    ranked: ranked.sort((a, b) => compareDecimals(a.price, b.price) || (a.provider < b.provider ? -1 : 1)),
    notCompared: current.filter((row) => !compared.has(row)).map((row) => ({ row, reason: reasonOf(row) })),
  }
}

const tierKey = (tier: Record<string, string>): string => JSON.stringify(Object.entries(tier).sort())

function mostCommon(values: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0]
}
