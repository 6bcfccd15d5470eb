import { groupBy } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import { percentOf } from '../../lib/text/percent.ts'
import { readablePrice, readableUnit } from '../../lib/text/price-text.ts'

/** A held price beside the published price of its line. */
export type ShownLine = {
  resource: string
  dimension: string
  pricingTier: string
  unit: string
  price: string
  publishedPrice?: string
}

/** Returns what a price is for: `input tokens`, `output tokens (batch, context > 200,000)`. */
export function lineName({ dimension, pricingTier }: Pick<ShownLine, 'dimension' | 'pricingTier'>): string {
  const tier = tierInWords(pricingTier)
  return tier ? `${inWords(dimension)} (${tier})` : inWords(dimension)
}

/** The conditions of a price; empty for the standard price. */
function tierInWords(pricingTier: string): string {
  const conditions = Object.entries(JSON.parse(pricingTier) as Record<string, string>)
  return conditions
    .map(([name, value]) => (name === 'service' ? value : `${inWords(name)} ${spaced(value)}`))
    .join(', ')
}

/** `>200000` → `> 200,000` */
const spaced = (value: string): string =>
  value.replace(/^([<>]=?)?(\d+)$/, (_, sign: string | undefined, digits: string) =>
    [sign, Number(digits).toLocaleString('en-US')].filter(Boolean).join(' '),
  )

/** `cache_read_tokens` → `cache read tokens`, `timeOfDay` → `time of day` */
const inWords = (code: string): string =>
  code.replaceAll('_', ' ').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const CONDITION = String.raw`"[^"\\\p{Cc}]*":"[^"\\\p{Cc}]*"`
const ABSENCE = new RegExp(
  String.raw`^(?:(.+?) )?([a-z\d_]+) (\{(?:${CONDITION}(?:,${CONDITION})*)?\})(?: = (.*))?$`,
  'su',
)

/** Returns a missing or unreadable line in words: it is kept as `resource dimension {tier} = text` or `dimension {tier}`. */
export function absenceInWords(text: string): string {
  const [, resource = '', dimension = '', pricingTier = '', value] = ABSENCE.exec(text) ?? []
  if (!dimension) return text
  const name = `${resource && `${resource}: `}${lineName({ dimension, pricingTier })}`
  return value === undefined ? name : `${name}, listed as ${value}`
}

/** Returns held prices in one line: each resource with what is priced, old → new and the change in per cent. */
export function pricesInWords(lines: ShownLine[]): string {
  const byResource = [...groupBy(lines, ({ resource }) => resource)]
  const prices = byResource.map(([resource, own]) => `${resource}: ${own.map(lineInWords).join(', ')}`)
  const units = [...new Set(lines.map(({ unit }) => readableUnit(unit)))]
  return `${prices.join('; ')} ${units.join(' and ')}`
}

function lineInWords({ dimension, pricingTier, unit, price, publishedPrice }: ShownLine): string {
  const what = lineName({ dimension, pricingTier })
  if (publishedPrice === undefined) return `${what} first price ${readablePrice(price, unit)}`
  const change = percentOf(publishedPrice, price)
  const prices = `${readablePrice(publishedPrice, unit)} → ${readablePrice(price, unit)}`
  return `${what} ${prices}${change ? ` (${change})` : ''}`
}

/** Orders the prices that change most first: they are what a decision is about. */
export const byChange = (a: ShownLine, b: ShownLine): number =>
  changeOf(b) - changeOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1)

function changeOf({ price, publishedPrice }: ShownLine): number {
  if (publishedPrice === undefined || publishedPrice === price) return 0
  return Math.abs(Math.log(Number(price) / Number(publishedPrice)))
}

const nameOf = ({ resource, dimension, pricingTier }: ShownLine) => `${resource}\n${dimension}\n${pricingTier}`

/** An instant in a sentence: to the minute. */
export const minuteText = (instant: Instant): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`
