import { moveDecimal, parseDecimal } from '../../../lib/decimal.ts'

const MILLION = 6

/** What a price is shown for: tokens by the million, anything else as it is. */
const digitsOf = (unit: string): number => (/_per_(token|character)$/.test(unit) ? MILLION : 0)

/** Returns a unit as people read it: `usd_per_token` → `USD per million tokens`. */
export function unitText(unit: string): string {
  const [currency = '', ...what] = unit.split('_per_')
  const thing = what.join(' per ').replaceAll('_', ' ')
  return `${currency.toUpperCase()} per ${digitsOf(unit) > 0 ? `million ${thing}s` : thing}`
}

/** Returns a price of one unit as it is shown: exact, tokens by the million, thousands apart. */
export function shownPrice(price: string, unit: string): string {
  const [whole = '', ...fraction] = moved(price, digitsOf(unit)).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** Returns the price of one unit that a person means who types it as it is shown; undefined when it is no decimal. */
export function typedPrice(text: string, unit: string): string | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^\d+(\.\d+)?$/.test(plain) ? moved(plain, -digitsOf(unit)) : undefined
}

/** A text that is no decimal stays as it is. */
function moved(price: string, places: number): string {
  const decimal = parseDecimal(price)
  return decimal === undefined ? price : moveDecimal(decimal, places)
}
