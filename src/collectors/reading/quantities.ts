import { moveDecimal, parseDecimal } from '../../lib/decimal.ts'

/** How much of what a price is for: `10K` → 10^4 of a count, `1 GB/Month` → one gb_month. */
export type Quantity = { decimalShift: number; unit: string }

const WORDS: [RegExp, string][] = [
  [/^$/, 'count'],
  [/^\/?(hours?|hrs?)$/, 'hour'],
  [/^\/?minutes?$/, 'minute'],
  [/^\/?seconds?$/, 'second'],
  [/^\/?days?$/, 'day'],
  [/^\/?months?$/, 'month'],
  [/^\/?years?$/, 'year'],
  [/^tokens?$/, 'token'],
  [/^requests?$/, 'request'],
  [/^images?$/, 'image'],
  [/^pages?$/, 'page'],
]

/**
 * The unit of measure of a cloud's price list. Undefined where the amount is not a power of ten (no price is divided by
 * what leaves no decimal) or is not a number.
 */
export function quantityOf(text: string): Quantity | undefined {
  // Spaces are cut first: a pattern that allows them twice in a row takes quadratic time.
  const [, amount, thousand, tail = ''] = /^(?:(10*(?:,000)*)\s*([KM](?![a-z]))?)?(.*)$/s.exec(text.trim()) ?? []
  const rest = tail.trim()
  // More of the amount: `15`, `1.5`, `1,500`.
  if (/^[.,]?\d/.test(rest)) return undefined
  const number = amount?.replaceAll(',', '')
  const decimalShift = (number?.length ?? 1) - 1 + (thousand === 'K' ? 3 : thousand === 'M' ? 6 : 0)
  const words = rest.toLowerCase()
  const known = WORDS.find(([pattern]) => pattern.test(words))?.[1]
  const unit =
    known ??
    words
      .replace(/[^a-z]+/g, '_')
      .replace(/^_|_$/g, '')
      .replace(/s$/, '')
  return unit === '' || (number === undefined && words === '') ? undefined : { decimalShift, unit }
}

/**
 * The tier of a range of a monthly amount. Lists count it in what their price is for: 100,000 times `10 executions` are a
 * million. A range without an end leaves out `to`.
 */
export function volumeTier(from: string, to: string | undefined, { decimalShift }: Pick<Quantity, 'decimalShift'>) {
  const amount = (text: string): string => {
    const read = parseDecimal(text)
    return read === undefined ? text : moveDecimal(read, decimalShift)
  }
  if (to !== undefined) return { volume: `${amount(from)}-${amount(to)}` }
  return Number(from) > 0 ? { volume: `>=${amount(from)}` } : {}
}
