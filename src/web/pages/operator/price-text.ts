const MILLION = 6

/** What a price is shown for: tokens by the million, anything else as it is. */
const digitsOf = (unit: string): number => (/_per_(token|character)$/.test(unit) ? MILLION : 0)

/** Returns a unit as people read it: `usd_per_token` → `USD per 1M tokens`. */
export function unitText(unit: string): string {
  const [currency = '', ...what] = unit.split('_per_')
  const thing = what.join(' per ').replaceAll('_', ' ')
  return `${currency.toUpperCase()} per ${digitsOf(unit) > 0 ? `1M ${thing}s` : thing}`
}

/** Returns a price of one unit as it is shown: exact, tokens by the million. */
export const shownPrice = (price: string, unit: string): string => shifted(price, digitsOf(unit))

/** Returns the price of one unit that a person means who types it as it is shown; undefined when it is no decimal. */
export function typedPrice(text: string, unit: string): string | undefined {
  const plain = text.trim().replaceAll(',', '')
  return /^\d+(\.\d+)?$/.test(plain) ? shifted(plain, -digitsOf(unit)) : undefined
}

/** Moves the point of a decimal to the right, or with a negative count to the left, without a float. */
function shifted(price: string, by: number): string {
  const [whole = '', fraction = ''] = price.split('.')
  const digits = by >= 0 ? whole + fraction.padEnd(by, '0') : whole.padStart(1 - by, '0') + fraction
  const point = by >= 0 ? whole.length + by : digits.length - fraction.length + by
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const right = digits.slice(point).replace(/0+$/, '')
  return right === '' ? left || '0' : `${left || '0'}.${right}`
}
