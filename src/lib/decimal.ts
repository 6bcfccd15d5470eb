/** Money is a decimal string, never a float: canonical means no exponent, no sign on zero, no trailing zeros. */
declare const brand: unique symbol
export type Decimal = string & { readonly [brand]: 'Decimal' }

/** A canonical decimal that is not negative, as prices travel. */
export const CANONICAL_DECIMAL = /^(0|[1-9]\d*)(\.\d*[1-9])?$/
export const isCanonicalDecimal = (text: string): boolean =>
  text.length <= MAX_DIGITS + 1 && CANONICAL_DECIMAL.test(text)

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/
/** No price has more digits than this; beyond it a text is damage, not money. */
const MAX_DIGITS = 100

/**
 * The canonical decimal of a text or of a float as a source wrote it (`3.81469e-08` → `0.0000000381469`).
 * A float is read by its shortest text, which is what its author typed. Undefined when it is not a finite number.
 */
export function parseDecimal(input: string | number): Decimal | undefined {
  const parts = NUMBER.exec(String(input).trim())
  if (!parts) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  if (whole === '' && fraction === '') return undefined
  return shift(`${whole}${fraction}`, fraction.length - Number(exponent), sign === '-')
}

/**
 * `value / 10^places`, exactly: how a price per million becomes a price per one. Undefined where that has more digits than
 * any price.
 */
export function scaleDown(value: Decimal, places: number): Decimal | undefined {
  const negative = value.startsWith('-')
  const [whole = '', fraction = ''] = value.replace('-', '').split('.')
  return shift(`${whole}${fraction}`, fraction.length + places, negative)
}

/** `value × 10^places`, exactly: how a price per one is shown per million. */
export const moveDecimal = (value: Decimal, places: number): Decimal => scaleDown(value, -places) ?? value

/** The product of two decimals, exactly. */
export function times(a: Decimal, b: Decimal): Decimal {
  const places = [a, b].map((decimal) => (decimal.split('.')[1] ?? '').length)
  const digits = BigInt(a.replace('.', '')) * BigInt(b.replace('.', ''))
  const sign = digits < 0n ? '-' : ''
  return `${sign}${scaleDown(String(digits).replace('-', '') as Decimal, places[0]! + places[1]!)}` as Decimal
}

function shift(digits: string, scale: number, negative: boolean): Decimal | undefined {
  if (Math.abs(scale) > MAX_DIGITS || digits.length > MAX_DIGITS) return undefined
  const padded = scale >= 0 ? digits.padStart(scale + 1, '0') : digits.padEnd(digits.length - scale, '0')
  const cut = padded.length - Math.max(scale, 0)
  const whole = padded.slice(0, cut).replace(/^0+(?=\d)/, '')
  const fraction = padded.slice(cut).replace(/0+$/, '')
  const text = fraction ? `${whole}.${fraction}` : whole
  return (negative && text !== '0' ? `-${text}` : text) as Decimal
}

/** Returns two decimals that are not negative as multiples of the smallest decimal place in them. */
export function wholeNumbers(...decimals: [string, string]): [bigint, bigint] {
  const parts = decimals.map((decimal) => decimal.split('.'))
  const places = Math.max(...parts.map(([, fraction = '']) => fraction.length))
  return parts.map(([whole = '', fraction = '']) => BigInt(whole + fraction.padEnd(places, '0'))) as [bigint, bigint]
}

/** Returns `a + b` exactly, of two decimals that are not negative. */
export function plus(a: string, b: string): Decimal {
  const [left, right] = wholeNumbers(a, b)
  const places = Math.max(...[a, b].map((decimal) => (decimal.split('.')[1] ?? '').length))
  return parseDecimal(`${left + right}e-${places}`)!
}

/** Returns `more - less` exactly, of two decimals that are not negative. */
export function minus(more: string, less: string): Decimal {
  const [from, taken] = wholeNumbers(more, less)
  const places = Math.max(...[more, less].map((decimal) => (decimal.split('.')[1] ?? '').length))
  return parseDecimal(`${from - taken}e-${places}`)!
}

/** Returns -1, 0 or 1 as the first of two decimals is less than, equal to or more than the second, exactly. */
export function compareDecimals(a: string, b: string): number {
  const [left, right] = wholeNumbers(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}
