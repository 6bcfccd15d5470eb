import type { PricingTier } from '../../../catalog/schema.ts'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { Instant } from '../../../lib/instant.ts'
import { SnapshotError } from '../../snapshot-error.ts'
import type { Quoted } from '../observations.ts'
import type { Cell, Table } from '../tables/schema.ts'
import { headingKey } from '../tables/text.ts'
import { type Conditions, joined, whenOf } from './conditions.ts'
import { labelOf, type ModelRule, type Priced, type PriceRule } from './declaration.ts'
import { dimensionOf } from './dimensions.ts'
import { type ModelCell, modelsOf } from './model-cell.ts'
import { PER_MILLION_TOKENS, type Per, perOf } from './per.ts'
import { type CellPrice, type Modality, pricesOf } from './price-cell.ts'
import { type Record, type RecordCell, recordsOf, shown } from './records.ts'

/** A price of the page: in force, announced for a day, or not to be read. */
export type PagePrice = { quoted: Omit<Quoted, 'provider' | 'canonicalResource'> } & (
  | { is: 'price' | 'ended' }
  | { is: 'later'; from: string }
  | { is: 'unreadable' | 'left_out'; reason: string }
)

export type TableReading = { rule: PriceRule; model: ModelRule; at: Instant; peak?: string }

/** The prices of one table. @throws SnapshotError naming what is not as the declaration says */
export function readTable(table: Table, { rule, model, at, peak }: TableReading): PagePrice[] {
  const fail = (problem: string): never => {
    throw new SnapshotError(`The table “${rule.name}” ${problem}.`)
  }
  const found = recordsOf(table, rule)
  if ('problem' in found) return fail(found.problem)
  const { records, headings } = found
  if (records.length === 0) return fail('has no rows')
  const unknown = records.flatMap(({ cells }) => cells).find(({ meaning, cell }) => !meaning && looksPriced(cell))
  if (unknown) return fail(`has an unknown column or row “${unknown.heading}” with “${unknown.cell.text.slice(0, 60)}”`)
  const all = records[0]?.cells.flatMap(({ meaning }) => (isPriced(meaning) ? labelOf(meaning) : [])) ?? []
  const lost = rule.needed.find((label) => !all.includes(label))
  if (lost)
    return fail(`has no prices of ${lost}: a column is missing or has another name; there are ${shown(headings)}`)
  const stray = strayOf(table, rule)
  if (stray) return fail(`stands under “${stray}”, which is unknown`)
  const tier = tierOf(table, rule)
  const prices = records.flatMap((record) => {
    const named = record.model ? modelsOf(record.model, model) : byHeading(table, model)
    if ('problem' in named) return fail(named.problem)
    if (named.isRetired)
      return named.resources.map((resource) => leftOut(resource, 'a model that its maker has retired'))
    return named.resources.flatMap((resource) =>
      recordPrices(record, { rule, at, peak, table, tier, resource, conditions: named.conditions, fail }),
    )
  })
  return prices.map((price) => (price.is === 'ended' ? afterEnd(price, prices) : price))
}

/** A price that has ended and that none follows is unknown. */
function afterEnd({ quoted }: PagePrice, prices: PagePrice[]): PagePrice {
  const lineOf = ({ resource, dimension, tier }: PagePrice['quoted']) =>
    canonicalJson([resource, dimension, tier ?? {}])
  const follows = prices.some((other) => other.is === 'price' && lineOf(other.quoted) === lineOf(quoted))
  if (follows) return leftOut(quoted.resource, 'a price that has ended', quoted.locator)
  return { is: 'unreadable', reason: 'a price that has ended, and none that follows it', quoted }
}

type Reading = Omit<TableReading, 'model'> & {
  table: Table
  tier: PricingTier
  resource: string
  conditions: Conditions
  fail: (problem: string) => never
}

function recordPrices(record: Record, reading: Reading): PagePrice[] {
  const { rule, resource, fail } = reading
  const said = record.cells.find(({ meaning }) => meaning === 'unit')?.cell.text
  const per = said === undefined ? rule.per : perOf(said)
  if (said !== undefined && !per) fail(`gives “${resource}” per “${said}”, which is unknown`)
  const content = contentOf(record.cells.find(({ meaning }) => meaning === 'modality')?.cell.text, reading)
  const labels = new Set<string>()
  const priced = record.cells.filter((one): one is RecordCell & { meaning: Priced } => isPriced(one.meaning))
  if (rule.onRequest && priced.some(({ cell }) => rule.onRequest!.test(cell.text)))
    return [leftOut(resource, 'a price that is agreed upon with each customer')]
  const prices = priced.flatMap((one) => {
    const read = cellPrices(one, { heading: one.heading, meaning: one.meaning, per, content }, reading)
    if (read.some(({ is }) => is !== 'unreadable' && is !== 'left_out')) labels.add(labelOf(one.meaning))
    return read
  })
  const isHalf = rule.together?.some((label) => labels.has(label))
  const missing = [...(rule.priced ?? []), ...(isHalf ? rule.together! : [])].find((label) => !labels.has(label))
  return missing ? fail(`has no price of ${missing} for “${resource}”`) : prices
}

type Place = { heading: string; meaning: Priced; per: Per | undefined; content: Modality | undefined }

function cellPrices({ cell, unread }: RecordCell, place: Place, reading: Reading): PagePrice[] {
  const { heading, meaning } = place
  const { resource, rule, fail, table } = reading
  const locator = [...table.headings.map(({ text }) => text), ...table.panes, resource, heading].join(' / ')
  const prices = unread ? undefined : pricesOf(cell.text)
  if (!prices || hasTwoBases(prices)) {
    if (!rule.lenient) fail(`has “${cell.text.slice(0, 120)}” for ${heading} of “${resource}”, which cannot be read`)
    const dimension = dimensionOf(meaning.kind, place.content ?? meaning.content ?? 'text', 'token')!
    const quoted = { resource, dimension, amount: cell.text, tier: { ...reading.tier, ...meaning.tier }, locator }
    return [{ is: 'unreadable', reason: 'a cell that cannot be read', quoted }]
  }
  const isFree = prices.length === 1 && prices[0]!.amount === '0'
  // Nothing is charged for a cache apart.
  if (isFree && meaning.kind.startsWith('cache_')) return []
  return prices.flatMap((price) => onePrice(price, { ...place, locator }, reading))
}

function onePrice(
  price: CellPrice,
  { meaning, per: rowPer, content, heading, locator }: Place & { locator: string },
  { resource, rule, tier, conditions, at, fail, table, peak }: Reading,
): PagePrice[] {
  const when = joined(conditions, price.conditions) ?? fail(`gives “${resource}” terms that contradict each other`)
  const free = price.amount === '0' ? PER_MILLION_TOKENS : undefined
  const per =
    price.per ?? meaning.per ?? rowPer ?? free ?? fail(`does not say what the prices of “${resource}” are for`)
  if (!price.per && !meaning.per && per === rule.per && rule.says && !saysPer(table, rule.says))
    fail(`no longer says that its prices are per ${per.unit === 'token' ? 'million tokens' : per.unit}`)
  const { timeOfDay, ...rest } = meaning.tier ?? {}
  if (timeOfDay && !peak) fail('has peak hours, and no sentence that says when they are')
  const full = {
    ...tier,
    ...rest,
    ...(timeOfDay && { timeOfDay: peak! }),
    ...(when.above !== undefined && { context: `>${when.above}` }),
  }
  const base = { resource, amount: price.amount, decimalShift: per.decimalShift, tier: full, locator }
  return modalitiesOf(price, content ?? meaning.content).map((modality): PagePrice => {
    const dimension = dimensionOf(meaning.kind, modality, per.unit)
    if (!dimension) return leftOut(resource, `a price of ${heading} per ${per.unit}`, locator)
    const quoted = { ...base, dimension, ...(when.from && { effectiveFrom: when.from }) }
    const time = whenOf(when, at)
    if (time === 'later') return { is: 'later', from: when.from!, quoted }
    return { is: time === 'now' ? 'price' : 'ended', quoted }
  })
}

/** What a price is for: `text / image / video` is the price of tokens that have none of their own. */
function modalitiesOf({ modalities }: CellPrice, content: Modality | undefined): Modality[] {
  if (content) return [content]
  if (modalities.length === 0 || modalities.includes('text')) return ['text']
  return modalities
}

/** Two prices of a cell with nothing that tells them apart. */
function hasTwoBases(prices: CellPrice[]): boolean {
  const keys = prices.map(({ per, modalities, conditions: { above, from, until } }) =>
    JSON.stringify([per?.unit, modalities, above, from, until]),
  )
  return new Set(keys).size < keys.length
}

function contentOf(text: string | undefined, { fail }: Reading): Modality | undefined {
  if (text === undefined) return undefined
  const found = (['text', 'audio', 'image', 'video'] as const).find((name) => name === text.toLowerCase())
  return found ?? fail(`has an unknown modality “${text}”`)
}

const isPriced = (meaning: RecordCell['meaning']): meaning is Priced => typeof meaning === 'object'
const looksPriced = ({ text }: Cell): boolean => /[$€£¥]\s*\d/.test(text)
const saysPer = ({ before, headings }: Table, says: RegExp): boolean =>
  before.some((text) => says.test(text)) || headings.some(({ text }) => says.test(text))

/** The tier of the nearest heading or tab that has one. */
function tierOf({ headings, panes }: Table, { tiers = {} }: PriceRule): PricingTier {
  const names = [...headings.map(({ text }) => text), ...panes].map(headingKey)
  const known = names.findLast((name) => Object.hasOwn(tiers, name))
  return known === undefined ? {} : tiers[known]!
}

/** A tab, or below the heading with the models another heading, that says of the prices what nobody declared. */
function strayOf({ headings, panes }: Table, { models, tiers = {}, tabs }: PriceRule): string | undefined {
  const isKnown = (name: string) => Object.hasOwn(tiers, headingKey(name)) || tabs?.test(headingKey(name))
  const below = models === 'heading' ? headings.slice(headings.findLastIndex(({ codes }) => codes.length > 0) + 1) : []
  return [...(below.length < headings.length ? below.map(({ text }) => text) : []), ...panes].find(
    (name) => !isKnown(name),
  )
}

function byHeading({ headings }: Table, model: ModelRule): ModelCell | { problem: string } {
  const codes = headings.findLast((heading) => heading.codes.length > 0)?.codes ?? []
  const resources = codes.filter((code) => model.name.exec(code)?.[0] === code)
  if (resources.length === 0 || resources.length < codes.length)
    return { problem: `stands under “${headings.at(-1)?.text ?? ''}”, which names no model id` }
  return { resources, conditions: {}, isRetired: false }
}

const leftOut = (resource: string, reason: string, locator = resource): PagePrice => ({
  is: 'left_out',
  reason,
  quoted: { resource, dimension: 'usage', amount: '', locator },
})
