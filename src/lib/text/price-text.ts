/** Prices as people read and type them. Service and pages both ask here which units are read by the million. */
import { lookUp } from '../collections.ts'
import { type Decimal, moveDecimal, parseDecimal } from '../decimal.ts'

/** How people read a unit: this many places further left, and per what. */
export type ShownUnit = {
  /** Places that a price is moved by: 6 for a price per million. */
  places: number
  /** `million tokens`, `GPU hour`. */
  per: string
}

const MILLION = 6
/** What is so cheap one by one that people read it by the million. */
const BY_THE_MILLION = ['token', 'character', 'pixel']
const WORDS: Record<string, string> = { gpu: 'GPU', vcpu: 'vCPU', gib: 'GiB', usd: 'USD' }
const PER = '_per_'

/** Returns how people read a unit such as `usd_per_token`. */
export function shownUnit(unit: string): ShownUnit {
  const { thing } = partsOf(unit)
  if (BY_THE_MILLION.includes(thing)) return { places: MILLION, per: `million ${thing}s` }
  const words = thing.split('_').map((word) => lookUp(WORDS, word) ?? word)
  return { places: 0, per: words.join(' ') }
}

/** Returns a unit with its currency as people read it: `USD per million tokens`. */
export function readableUnit(unit: string): string {
  const { currency } = partsOf(unit)
  const shown = /^[a-z]{3}$/.test(currency) ? currency.toUpperCase() : currency.replaceAll('_', ' ')
  return `${shown} per ${shownUnit(unit).per}`
}

/** A thing may have a `_per_` of its own: a `gib_per_month`. */
function partsOf(unit: string): { currency: string; thing: string } {
  const at = unit.indexOf(PER)
  return at < 0 ? { currency: '', thing: unit } : { currency: unit.slice(0, at), thing: unit.slice(at + PER.length) }
}

/** Returns the price of one unit as people read it, exactly: tokens by the million, thousands apart. */
export function readablePrice(price: string, unit: string): string {
  const decimal = parseDecimal(price)
  if (decimal === undefined) return price
  return groupedDecimal(moveDecimal(decimal, shownUnit(unit).places))
}

/** Returns a decimal with the thousands of its whole part apart: `1,250.5`. */
export function groupedDecimal(decimal: string): string {
  const [whole = '', ...fraction] = decimal.split('.')
  return [groupedDigits(whole), ...fraction].join('.')
}

const MIN_DECIMALS = 2

/** Returns `price × 10^places` as people write it, exactly: `2.50`, `0.075`, `1,200.00`. */
export function shownPrice(price: string, places: number): string {
  const [whole = '', fraction = ''] = moveDecimal(price as Decimal, places).split('.')
  return `${groupedDigits(whole)}.${fraction.padEnd(MIN_DECIMALS, '0')}`
}

/** Returns the digits of a whole number with its thousands apart: `1,250`. */
export const groupedDigits = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** `2,5` is not a number: whether it means 2.5 or 25 is not ours to guess. */
const TYPED = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/

/** What a person reads who typed something that is not a price. */
export const HOW_TO_TYPE_A_PRICE =
  'Write a price such as 2.5 or 1,250.5: a point before the decimals, and commas only between thousands.'

/** Returns the price of one unit that a person means who types it as it is shown; undefined when it is not a price. */
export function typedPrice(text: string, unit: string): string | undefined {
  const typed = text.trim()
  const decimal = TYPED.test(typed) ? parseDecimal(typed.replaceAll(',', '')) : undefined
  return decimal && moveDecimal(decimal, -shownUnit(unit).places)
}

const LARGE: [number, string][] = [
  [1_000_000, 'M'],
  [1_000, 'K'],
]

/** `>200000` → `> 200K` */
export function shownContext(context: string): string {
  const [, sign = '', digits = ''] = /^(\D*)(\d+)$/.exec(context) ?? []
  if (digits === '') return context
  const count = Number(digits)
  const [size, mark] = LARGE.find(([size]) => count >= size) ?? [1, '']
  return `${sign} ${Number((count / size).toFixed(1))}${mark}`.trim()
}

/** `cache_read_tokens` → `Cache read` */
export function shownDimension(dimension: string): string {
  const words = dimension
    .replace(/_tokens$/, '')
    .replaceAll('_', ' ')
    .replace(/^gpu\b/, 'GPU')
    .replace(/^vcpu\b/, 'vCPU')
    .replace(/\bgib\b/, 'GiB')
  return words === '' ? dimension : words.replace(/^[a-z](?!CPU)/, (first) => first.toUpperCase())
}

/** The conditions of a price: `batch · above 200K of context`; empty for the standard price. */
export const shownTier = (tier: Record<string, string>): string =>
  Object.entries(tier)
    .map(([name, value]) => (name === 'context' ? `context ${shownContext(value)}` : (TIERS[name]?.(value) ?? value)))
    .join(' · ')

const TIERS: Record<string, (value: string) => string> = {
  ttl: (value) => `kept ${value}`,
  volume: (value) => `volume ${value}`,
}
