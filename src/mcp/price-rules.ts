import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { parseDecimal } from '../lib/decimal.ts'

/** Returns the exact price of a million tokens; undefined when the row prices something else. */
export const perMillionTokens = ({ unit, price }: Pick<PriceRow, 'unit' | 'price'>): string | undefined =>
  unit.endsWith('_per_token') ? parseDecimal(`${price}e6`) : undefined

/** Returns `context >272000, region eu`; an empty text for the standard tier. */
export const tierText = (tier: Record<string, string>): string =>
  Object.entries(tier)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** Returns `1.25 USD per million tokens (exactly 0.00000125 per token)`. */
export function priceText(row: Pick<PriceRow, 'unit' | 'price' | 'currency'>): string {
  const million = perMillionTokens(row)
  if (million !== undefined) return `${million} ${row.currency} per million tokens (exactly ${row.price} ${row.unit})`
  return `${row.price} ${row.currency} (${row.unit})`
}
