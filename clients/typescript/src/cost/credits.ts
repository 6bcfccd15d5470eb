import { lineName } from '../lines.ts'
import type { PriceRow } from '../types.ts'

/** What one credit costs, or why that is not known. */
type CreditPrice = { credit: PriceRow } | { unconverted: string }

export const isCreditPrice = ({ dimension }: PriceRow): boolean => dimension === 'credits'
export const isInCredits = ({ currency }: PriceRow): boolean => currency.endsWith('_CREDIT')

/**
 * Returns what a credit costs among a provider's prices of credits. These are per cloud, region and edition: where a usage
 * does not say which, the price counts if it is the same in all of them.
 */
export function creditPriceOf(currency: string, credits: PriceRow[], tier: Record<string, string>): CreditPrice {
  const own = credits.filter((row) => lineName(row) === currency)
  if (own.length === 0) return { unconverted: `no price of ${currency} is published` }
  const asked = Object.entries(tier).filter(([key]) => own.some(({ pricingTier }) => Object.hasOwn(pricingTier, key)))
  const fitting = own.filter(({ pricingTier }) => asked.every(([key, value]) => (pricingTier[key] ?? value) === value))
  const [first, ...others] = fitting.sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1))
  if (first === undefined)
    return { unconverted: `no price of ${currency} is published for ${asked.map((pair) => pair.join(' ')).join(', ')}` }
  if (others.every(({ price, currency: paid }) => price === first.price && paid === first.currency))
    return { credit: first }
  return { unconverted: `the price of ${currency} differs by ${choicesText(fitting)}: name one in the tier` }
}

/** Returns `edition (enterprise, standard)`: the keys in which prices of credits differ, with their values. */
function choicesText(rows: PriceRow[]): string {
  const keys = [...new Set(rows.flatMap(({ pricingTier }) => Object.keys(pricingTier)))].sort()
  return keys
    .map((key) => ({ key, values: [...new Set(rows.map(({ pricingTier }) => pricingTier[key] ?? 'any'))].sort() }))
    .filter(({ values }) => values.length > 1)
    .map(({ key, values }) => `${key} (${values.join(', ')})`)
    .join(' and ')
}
