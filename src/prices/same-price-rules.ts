/** The last places of a float differ by the way it was computed: 0.1 + 0.2 is 0.30000000000000004. */
const FLOAT_NOISE = 8 * Number.EPSILON
/**
 * A price with as many digits is a quotient that was rounded: 1/600 is written 0.00166667. Of the 3,631 prices of a public
 * list 3,623 are stated with five digits at most, 7 are such quotients and one has six digits.
 */
const ROUNDED_DIGITS = 6

/**
 * Returns whether two decimals are one price that is written differently: with the noise of floats, or divided and then
 * rounded to other numbers of digits. Whatever else differs is another price.
 */
export function isSamePrice(a: string, b: string): boolean {
  if (a === b) return true
  const [coarse, fine] = decimals(a) < decimals(b) ? [a, b] : [b, a]
  const off = Math.abs(Number(fine) - Number(coarse))
  if (off <= FLOAT_NOISE * Number(fine)) return true
  if (decimals(coarse) === decimals(fine) || digits(coarse) < ROUNDED_DIGITS) return false
  const half = 0.5 * 10 ** -decimals(coarse)
  return off <= half * (1 + FLOAT_NOISE)
}

const decimals = (price: string): number => price.split('.')[1]?.length ?? 0

const digits = (price: string): number => price.replace('.', '').replace(/^0+|0+$/g, '').length
