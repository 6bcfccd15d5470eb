import type { PricingTier } from '../../../catalog/schema.ts'
import { type Decimal, parseDecimal, scaleDown, times } from '../../../lib/decimal.ts'
import type { Instant } from '../../../lib/instant.ts'
import type { Quote } from '../quote-rules.ts'
import type { Cell, Table } from '../tables/schema.ts'
import { type Conditions, joined, whenOf } from './conditions.ts'
import type { Kind, PriceMeaning, PriceRule } from './declaration.ts'
import { dimensionOf } from './dimensions.ts'
import type { Discount } from './model-cell.ts'
import { PER_MILLION_TOKENS, type Per } from './per.ts'
import { type CellPrice, type Modality, pricesOf } from './price-cell.ts'
import type { RecordCell } from './records.ts'

/** A price of the page: in force, announced for a day, or not to be read. */
export type PagePrice = { quoted: Omit<Quote, 'provider' | 'canonicalResource'> } & (
  | { is: 'price' | 'ended' }
  | { is: 'later'; from: string }
  | { is: 'unreadable' | 'left_out'; reason: string }
)

/** What the cells of a row have in common. */
export type RowReading = {
  rule: PriceRule
  table: Table
  at: Instant
  peak?: string
  resource: string
  tier: PricingTier
  conditions: Conditions
  discounts: Discount[]
  fail: (problem: string) => never
}
/** What a cell is for. */
export type Place = { heading: string; meaning: PriceMeaning; per: Per | undefined; content: Modality | undefined }
type Reading = Place & RowReading

/** Prices of one cell that are this many times smaller than others in it are for something else. */
const OTHER_UNIT = 200

export function cellPrices({ cell, unread }: RecordCell, place: Place, row: RowReading): PagePrice[] {
  const { resource, rule, fail } = row
  const reading = { ...place, ...row }
  const prices = unread ? undefined : pricesOf(cell.text)
  if (!prices || hasTwoBases(prices)) {
    if (!rule.lenient)
      fail(`has “${cell.text.slice(0, 120)}” for ${place.heading} of “${resource}”, which cannot be read`)
    return [unreadable(cell, reading, 'a cell that cannot be read')]
  }
  const isFree = prices.length === 1 && prices[0]!.amount === '0'
  // Nothing is charged for a cache apart.
  if (isFree && place.meaning.kind.startsWith('cache_')) return []
  const most = Math.max(...prices.filter(({ per }) => !per).map(({ amount }) => Number(amount)))
  return prices.flatMap((price) =>
    onePrice(price, reading).map((found): PagePrice => {
      const isOther = !price.per && price.amount !== '0' && Number(price.amount) * OTHER_UNIT < most
      return isOther
        ? { is: 'unreadable', reason: 'a price whose unit the cell does not say', quoted: found.quoted }
        : found
    }),
  )
}

/** The line of a cell that has something that cannot be read. */
export function unreadable(cell: Cell, reading: Reading, reason: string): PagePrice {
  const { meaning, content, resource, tier, conditions } = reading
  const dimension = dimensionOf(meaning.kind, content ?? meaning.content ?? 'text', 'token')!
  const at = { tier: tierOf(meaning, tier, conditions), locator: locatorOf(reading) }
  return { is: 'unreadable', reason, quoted: { resource, dimension, amount: cell.text, ...at } }
}

/** Where a page has a price: the headings and tabs above its table, the model, and what stands above or before the cell. */
export const locatorOf = ({ table, resource, heading }: Pick<Reading, 'table' | 'resource' | 'heading'>): string =>
  [...table.headings.map(({ text }) => text), ...table.panes, resource, heading].join(' / ')

const tierOf = (meaning: PriceMeaning, tier: PricingTier, { above }: Conditions): PricingTier => ({
  ...tier,
  ...meaning.tier,
  ...(above !== undefined && { context: `>${above}` }),
})

function onePrice(price: CellPrice, reading: Reading): PagePrice[] {
  const { resource, rule, conditions, at, fail, table, peak, meaning, content, heading } = reading
  const locator = locatorOf(reading)
  const when = joined(conditions, price.conditions) ?? fail(`gives “${resource}” terms that contradict each other`)
  const free = price.amount === '0' ? PER_MILLION_TOKENS : undefined
  const per =
    price.per ?? meaning.per ?? reading.per ?? free ?? fail(`does not say what the prices of “${resource}” are for`)
  if (!price.per && !meaning.per && per === rule.per && rule.says && !saysPer(table, rule.says))
    fail(`no longer says that its prices are per ${per.unit === 'token' ? 'million tokens' : per.unit}`)
  const tier = tierOf(meaning, reading.tier, when)
  if (tier.timeOfDay && !peak) fail('has peak hours, and no sentence that says when they are')
  if (tier.timeOfDay) tier.timeOfDay = peak!
  const base = { resource, amount: price.amount, decimalShift: per.decimalShift, tier, locator }
  return modalitiesOf(price, content ?? meaning.content).flatMap((modality): PagePrice[] => {
    const dimension = dimensionOf(meaning.kind, modality, per.unit)
    if (!dimension) return [leftOut(resource, `a price of ${heading} per ${per.unit}`, locator)]
    const quoted = { ...base, dimension, ...(when.from && { effectiveFrom: when.from }) }
    return [quoted, ...discounted(quoted, meaning.kind, reading.discounts)].map((line): PagePrice => {
      const time = whenOf(when, at)
      if (time === 'later') return { is: 'later', from: when.from!, quoted: line }
      return { is: time === 'now' ? 'price' : 'ended', quoted: line }
    })
  })
}

/** What a note says the same costs in other tiers. */
const discounted = (quoted: PagePrice['quoted'], kind: Kind, discounts: Discount[]): PagePrice['quoted'][] =>
  discounts
    .filter(({ kinds }) => kinds.includes(kind))
    .map(({ tier, percent }) => ({
      ...quoted,
      amount: scaleDown(times(parseDecimal(String(quoted.amount))!, String(percent) as Decimal), 2)!,
      tier: { ...quoted.tier, ...tier },
    }))

/** What a price is for: `text / image / video` is the price of tokens that have none of their own. */
function modalitiesOf({ modalities }: CellPrice, content: Modality | undefined): Modality[] {
  if (content) return [content]
  if (modalities.length === 0 || modalities.includes('text')) return ['text']
  return modalities
}

/** Two prices of a cell with nothing that tells them apart. Prices by a picture of one size are never read. */
function hasTwoBases(prices: CellPrice[]): boolean {
  const read = prices.filter(({ per }) => per?.unit !== 'other')
  const keys = read.map(({ per, modalities, conditions: { above, from, until } }) =>
    JSON.stringify([per?.unit, modalities, above, from, until]),
  )
  return new Set(keys).size < keys.length
}

const saysPer = ({ before, headings }: Table, says: RegExp): boolean =>
  before.some((text) => says.test(text)) || headings.some(({ text }) => says.test(text))

export const leftOut = (resource: string, reason: string, locator = resource): PagePrice => ({
  is: 'left_out',
  reason,
  quoted: { resource, dimension: 'usage', amount: '', locator },
})
