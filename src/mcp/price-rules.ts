import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { parseDecimal } from '../lib/decimal.ts'

/** Returns the exact price of a million tokens; undefined when the row prices something else. */
export const perMillionTokens = ({ unit, price }: Pick<PriceRow, 'unit' | 'price'>): string | undefined =>
  unit.endsWith('_per_token') ? parseDecimal(`${price}e6`) : undefined

/** Returns -1, 0 or 1 as the first of two canonical decimals is less than, equal to or more than the second. */
export function compareDecimals(a: string, b: string): number {
  const [[wholeA = '', fractionA = ''], [wholeB = '', fractionB = '']] = [a.split('.'), b.split('.')]
  const digits = Math.max(fractionA.length, fractionB.length)
  const [left, right] = [BigInt(wholeA + fractionA.padEnd(digits, '0')), BigInt(wholeB + fractionB.padEnd(digits, '0'))]
  return left < right ? -1 : left > right ? 1 : 0
}

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

/** Returns `+57.1 %`; undefined when there is nothing to compare with. */
export function changeText(before: string | undefined, now: string): string | undefined {
  if (before === undefined || Number(before) === 0) return undefined
  const percent = (Number(now) / Number(before) - 1) * 100
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`
}
