import { groupBy } from '../../lib/collections.ts'
import { parseDecimal } from '../../lib/decimal.ts'

/** Returns a change in per cent of the old price, as people read it: `+25 %`, `-99.9 %`. Undefined from a free price. */
export function percentOf(before: string, after: string): string | undefined {
  const [old, now] = [Number(before), Number(after)]
  if (!(old > 0)) return undefined
  const percent = (now / old - 1) * 100
  const digits = Math.abs(percent) >= 10 ? 0 : 1
  const text = percent.toLocaleString('en-US', { maximumFractionDigits: Math.abs(percent + 100) < 1 ? 3 : digits })
  return `${percent > 0 ? '+' : ''}${text === '-0' ? '0' : text} %`
}

type ShownLine = {
  resource: string
  dimension: string
  pricingTier: string
  unit: string
  price: string
  publishedPrice?: string
}

/** Returns a price as people read it: tokens by the million. */
const readablePrice = (price: string, unit: string): string =>
  unit.endsWith('_per_token') ? (parseDecimal(`${price}e6`) ?? price) : price

const readableUnit = (unit: string): string => unit.replace(/_per_token$/, ' per 1M tokens').replaceAll('_', ' ')

/** Returns held prices in one line: each resource with what is priced, old → new and the change in per cent. */
export function pricesInWords(lines: ShownLine[]): string {
  const byResource = [...groupBy(lines, ({ resource }) => resource)]
  const prices = byResource.map(([resource, own]) => `${resource}: ${own.map(lineInWords).join(', ')}`)
  const units = [...new Set(lines.map(({ unit }) => readableUnit(unit)))]
  return `${prices.join('; ')} ${units.join(' and ')}`
}

function lineInWords({ dimension, pricingTier, unit, price, publishedPrice }: ShownLine): string {
  const what = pricingTier === '{}' ? dimension : `${dimension} ${pricingTier}`
  if (publishedPrice === undefined) return `${what} first price ${readablePrice(price, unit)}`
  const change = percentOf(publishedPrice, price)
  const prices = `${readablePrice(publishedPrice, unit)} → ${readablePrice(price, unit)}`
  return `${what} ${prices}${change ? ` (${change})` : ''}`
}

/** Orders the prices that change most first: they are what a decision is about. */
export const byChange = (a: ShownLine, b: ShownLine): number =>
  changeOf(b) - changeOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1)

function changeOf({ price, publishedPrice }: ShownLine): number {
  if (publishedPrice === undefined) return 0
  const ratio = Number(price) / Number(publishedPrice)
  return Number.isFinite(ratio) && ratio > 0 ? Math.abs(Math.log(ratio)) : publishedPrice === price ? 0 : Infinity
}

const nameOf = ({ resource, dimension, pricingTier }: ShownLine) => `${resource}\n${dimension}\n${pricingTier}`
