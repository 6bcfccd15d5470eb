import type { PricingTier } from '../../../catalog/schema.ts'
import { headingKey } from '../tables/text.ts'
import { type Conditions, joined, requestSizeOf } from './conditions.ts'
import { isPriced, isTierColumn, type Kind, labelOf, type PriceMeaning, standsFor } from './declaration.ts'
import type { ModelCell } from './model-cell.ts'
import { perOf } from './per.ts'
import { holdsNone, type Modality } from './price-cell.ts'
import { cellPrices, leftOut, type PagePrice, type RowReading, unreadable } from './read-cell.ts'
import type { Record, RecordCell } from './records.ts'

type Reading = Omit<RowReading, 'conditions' | 'discounts'>

/** The prices of one model in one row, or under one heading. */
export function recordPrices(record: Record, named: ModelCell, reading: Reading): PagePrice[] {
  const { rule, resource, fail } = reading
  const said = textUnder(record, 'unit')
  const per = said === undefined ? rule.per : perOf(said)
  if (said !== undefined && !per) fail(`gives “${resource}” per “${said}”, which is unknown`)
  const content = contentOf(textUnder(record, 'modality'), reading)
  const { whole, parts } = tiersOf(record, reading)
  const row: RowReading = {
    ...reading,
    tier: { ...reading.tier, ...whole },
    conditions: conditionsOf(record, named, reading),
    discounts: named.discounts,
  }
  const priced = record.cells.filter(holdsPrice)
  if (rule.onRequest && priced.some(({ cell }) => rule.onRequest!.test(cell.text)))
    return [leftOut(resource, 'a price that is agreed upon with each customer')]
  const labels = new Set<string>()
  const prices = priced.flatMap((one) => {
    const meaning = standardMeaning(one.meaning, priced)
    const place = { heading: one.heading, meaning, per, content }
    const found = { ...row, tier: { ...row.tier, ...parts.get(meaning.kind) } }
    const read =
      named.unknown !== undefined && !holdsNone(one.cell.text)
        ? [unreadable(one.cell, { ...place, ...found }, 'a model with an unknown note')]
        : cellPrices(one, place, found)
    if (read.some(({ is }) => is !== 'left_out' && (rule.lenient || is !== 'unreadable'))) labels.add(labelOf(meaning))
    return read
  })
  const isHalf = rule.together?.some((label) => labels.has(label))
  const missing = [...(rule.priced ?? []), ...(isHalf ? rule.together! : [])].find((label) => !labels.has(label))
  return missing ? fail(`has no price of ${missing} for “${resource}”`) : prices
}

type PricedCell = RecordCell & { meaning: PriceMeaning }
const holdsPrice = (one: RecordCell): one is PricedCell => isPriced(one.meaning)

const textUnder = ({ cells }: Record, wanted: 'unit' | 'modality' | 'context'): string | undefined =>
  cells.find(({ meaning }) => meaning === wanted)?.cell.text

/** The tiers that the cells of a row say: of all its prices, and of one kind. */
function tiersOf({ cells }: Record, { resource, fail }: Reading) {
  let whole: PricingTier = {}
  const parts = new Map<Kind, PricingTier>()
  for (const { heading, meaning, cell } of cells) {
    if (!isTierColumn(meaning)) continue
    const tier =
      standsFor(meaning.tiers, headingKey(cell.text)) ??
      fail(`has “${cell.text}” for ${heading} of “${resource}”, which is unknown`)
    if (meaning.of) parts.set(meaning.of, tier)
    else whole = { ...whole, ...tier }
  }
  return { whole, parts }
}

function conditionsOf(record: Record, named: ModelCell, { resource, fail }: Reading): Conditions {
  const text = textUnder(record, 'context')
  if (text === undefined) return named.conditions
  const size = requestSizeOf(text) ?? fail(`is for requests of “${text}” of “${resource}”, which cannot be read`)
  return joined(named.conditions, size) ?? fail(`gives “${resource}” terms that contradict each other`)
}

/** A price in a tier is the standard one where there is no other: a model that only thinks. */
function standardMeaning(meaning: PriceMeaning, cells: PricedCell[]): PriceMeaning {
  if (!meaning.alone) return meaning
  const hasOther = cells.some(
    ({ meaning: other, cell }) => other.kind === meaning.kind && !other.tier && !holdsNone(cell.text),
  )
  return hasOther ? meaning : { ...meaning, tier: undefined }
}

function contentOf(text: string | undefined, { fail }: Reading): Modality | undefined {
  if (text === undefined) return undefined
  const found = (['text', 'audio', 'image', 'video'] as const).find((name) => name === text.toLowerCase())
  return found ?? fail(`has an unknown modality “${text}”`)
}
