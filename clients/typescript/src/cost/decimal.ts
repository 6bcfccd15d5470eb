/** An exact decimal that is not negative: `digits / 10^places`. */
type Exact = { digits: bigint; places: number }

const DECIMAL = /^\d{1,40}(\.\d{1,60})?$/

/** @throws RangeError when the text is not a decimal of at least zero */
function exact(value: number | string): Exact {
  const text = String(value)
  if (!DECIMAL.test(text)) throw new RangeError(`${text} is not a quantity: give a decimal such as 3000 or "0.5".`)
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

/** The exact product, as a decimal without needless zeros. */
export function product(...values: (number | string)[]): string {
  const parts = values.map(exact)
  const digits = parts.reduce((all, one) => all * one.digits, 1n)
  const places = parts.reduce((all, one) => all + one.places, 0)
  return text({ digits, places })
}

/** The exact sum, as a decimal without needless zeros. */
export function sum(values: (number | string)[]): string {
  const parts = values.map(exact)
  const places = Math.max(0, ...parts.map((part) => part.places))
  return text({ digits: parts.reduce((all, part) => all + scaled(part, places), 0n), places })
}

/** The exact difference; the first is at least the second. */
export function minus(a: number | string, b: number | string): string {
  const [left, right] = [exact(a), exact(b)]
  const places = Math.max(left.places, right.places)
  return text({ digits: scaled(left, places) - scaled(right, places), places })
}

export const least = (a: string, b: string): string => (compare(a, b) < 0 ? a : b)

/** Returns -1, 0 or 1 as the first is less than, equal to or more than the second. */
export function compare(a: number | string, b: number | string): number {
  const [left, right] = [exact(a), exact(b)]
  const places = Math.max(left.places, right.places)
  const [x, y] = [scaled(left, places), scaled(right, places)]
  return x < y ? -1 : x > y ? 1 : 0
}

const scaled = ({ digits, places }: Exact, to: number): bigint => digits * 10n ** BigInt(to - places)

function text({ digits, places }: Exact): string {
  const padded = String(digits).padStart(places + 1, '0')
  const at = padded.length - places
  const fraction = padded.slice(at).replace(/0+$/, '')
  return fraction ? `${padded.slice(0, at)}.${fraction}` : padded.slice(0, at)
}
