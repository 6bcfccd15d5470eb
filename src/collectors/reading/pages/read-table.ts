import type { PricingTier } from '../../../catalog/schema.ts'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { Instant } from '../../../lib/instant.ts'
import { SnapshotError } from '../../snapshot-error.ts'
import type { Cell, Table } from '../tables/schema.ts'
import { headingKey } from '../tables/text.ts'
import { isPriced, isTierColumn, labelOf, type ModelRule, type PriceRule, standsFor } from './declaration.ts'
import { type ModelCell, modelsOf, type NoModel } from './model-cell.ts'
import { leftOut, type PagePrice } from './read-cell.ts'
import { recordPrices } from './read-record.ts'
import { recordsOf, shown } from './records.ts'

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
  const unknown = records
    .flatMap(({ cells }) => cells)
    // Where a column says the tier, one with another name would leave it to the heading.
    .find(({ meaning, cell }) => !meaning && (rule.placed || looksPriced(cell)))
  if (unknown) return fail(`has an unknown column or row “${unknown.heading}” with “${unknown.cell.text.slice(0, 60)}”`)
  const meanings = records[0]?.cells.map(({ meaning }) => meaning) ?? []
  const all = meanings.filter(isPriced).map(labelOf)
  const lost = rule.needed.find((label) => !all.includes(label))
  if (lost)
    return fail(`has no prices of ${lost}: a column is missing or has another name; there are ${shown(headings)}`)
  const stray = strayOf(table, rule)
  if (stray) return fail(`stands under “${stray}”, which is unknown`)
  const isSaid = meanings.some((meaning) => isTierColumn(meaning) && !meaning.of)
  const above = tierOf(table, rule)
  if (rule.placed && !isSaid && !above)
    return fail(`stands under “${table.headings.at(-1)?.text ?? ''}”, and nothing says which tier that is`)
  const prices = records.flatMap((record) => {
    const named = record.model ? modelsOf(record.model, model) : byHeading(table, model)
    // Models that are not sold need no names.
    if (!record.model && 'problem' in named && !record.cells.some(({ cell }) => looksPriced(cell)))
      return [leftOut(table.headings.at(-1)?.text ?? '', 'a table in which nothing has a price')]
    if ('problem' in named)
      return rule.lenient && named.isText
        ? [leftOut(record.model?.text ?? '', 'a text where a model should be')]
        : fail(named.problem)
    if (named.isRetired)
      return named.resources.map((resource) => leftOut(resource, 'a model that its maker has retired'))
    if (named.unknown !== undefined && !rule.lenient) return fail(`lists “${named.unknown}” with an unknown note`)
    const tier = isSaid ? {} : (above ?? {})
    return named.resources.flatMap((resource) =>
      recordPrices(record, named, { rule, at, peak, table, tier, resource, fail }),
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

const looksPriced = ({ text }: Cell): boolean => /[$€£¥]\s*\d/.test(text)

/** The tier of the nearest heading or tab that has one. */
function tierOf({ headings, panes }: Table, { tiers = {} }: PriceRule): PricingTier | undefined {
  const names = [...headings.map(({ text }) => text), ...panes].map(headingKey)
  return names.map((name) => standsFor(tiers, name)).findLast((tier) => tier !== undefined)
}

/** A tab, or below the heading with the models another heading, that says of the prices what no one declared. */
function strayOf({ headings, panes }: Table, { models, tiers = {}, tabs }: PriceRule): string | undefined {
  const isKnown = (name: string) => standsFor(tiers, headingKey(name)) !== undefined || tabs?.test(headingKey(name))
  const below = models === 'heading' ? headings.slice(headings.findLastIndex(({ codes }) => codes.length > 0) + 1) : []
  return [...(below.length < headings.length ? below.map(({ text }) => text) : []), ...panes].find(
    (name) => !isKnown(name),
  )
}

function byHeading({ headings }: Table, model: ModelRule): ModelCell | NoModel {
  const codes = headings.findLast((heading) => heading.codes.length > 0)?.codes ?? []
  const resources = codes.filter((code) => model.name.exec(code)?.[0] === code)
  if (resources.length === 0 || resources.length < codes.length)
    return { problem: `stands under “${headings.at(-1)?.text ?? ''}”, which names no model id` }
  return { resources, conditions: {}, isRetired: false, discounts: [] }
}
