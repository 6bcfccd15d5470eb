import { lookUp } from '../../../lib/collections.ts'
import { type PriceCollector, type ReadContext, SnapshotError } from '../../collector.ts'
import { canonicalOf } from '../../reading/canonical-ids.ts'
import { isObject, type JsonObject, listOf, pointer, readJson, textAt } from '../../reading/json.ts'
import type { Path } from '../../reading/json-entries.ts'
import { isZero, type Observations, shownValue, startObservations } from '../../reading/observations.ts'
import { leaves } from './amounts.ts'
import type { Amount, ModelList, Offer } from './declaration.ts'
import { checkMagnitude } from './magnitude.ts'

const NO_PRICES = 'a model without an id or without prices'

/** The collector of a list that a declaration describes. */
export const modelList = (list: ModelList): PriceCollector => ({
  format: list.format,
  parserVersion: list.parserVersion,
  parse(bytes, { at }) {
    const models = modelsOf(list, readJson(bytes))
    const reading: Reading = { list, observations: startObservations(), found: new Set(), inputs: [], at }
    reading.observations.provider(list.provider, list.name)
    const unclear = repeated(list, models)
    for (const [index, model] of models.entries()) {
      const resource = textAt(model, list.id)
      const place = [...(list.list === undefined ? [] : [list.list]), index]
      if (!resource) reading.observations.ignore(NO_PRICES, JSON.stringify(model).slice(0, 100))
      else if (unclear.has(resource)) unpriced(reading, resource, 'a name that stands twice with other prices', place)
      else readModel(reading, model, resource, place)
    }
    for (const key of list.needed)
      if (!reading.found.has(key)) throw new SnapshotError(`No model has a price \`${key}\`: the format changed.`)
    checkMagnitude(reading.inputs)
    return reading.observations.done()
  },
})

type Reading = {
  list: ModelList
  observations: Observations
  /** Keys that stand in a model. */
  found: Set<string>
  /** Input prices per token, to see their order of magnitude. */
  inputs: number[]
  at: ReadContext['at']
}

function modelsOf({ list }: ModelList, answer: unknown): JsonObject[] {
  if (list === undefined) return listOf(answer, 'The answer')
  if (!isObject(answer) || !(list in answer))
    throw new SnapshotError(`The answer has no \`${list}\`: the format changed.`)
  return listOf(answer[list], 'The list of models')
}

/** Names that stand twice, and not with the same prices: which ones hold is unknown. */
function repeated(list: ModelList, models: JsonObject[]): Set<string> {
  const first = new Map<string, string>()
  const unclear = new Set<string>()
  for (const model of models) {
    const name = textAt(model, list.id)
    if (!name) continue
    const shown = JSON.stringify(list.offers?.(model) ?? pricingOf(list, model))
    if ((first.get(name) ?? shown) !== shown) unclear.add(name)
    first.set(name, shown)
  }
  return unclear
}

const pricingOf = (list: ModelList, model: JsonObject): unknown =>
  list.pricing.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), model)

function unpriced({ list, observations }: Reading, resource: string, reason: string, place: Path) {
  observations.unpriced(list.provider, resource, reason, pointer(...place))
}

function readModel(reading: Reading, model: JsonObject, resource: string, place: Path) {
  const { list, observations } = reading
  const leftOut = list.leftOut?.(model, reading.at)
  if (leftOut) return observations.ignore(leftOut, resource)
  const offers = list.offers?.(model) ?? [
    { provider: list.provider, name: list.name, pricing: pricingOf(list, model), at: list.pricing },
  ]
  for (const offer of offers) {
    if (offer.provider !== list.provider) observations.provider(offer.provider, offer.name)
    const where = [...place, ...(isObject(offer.pricing) ? offer.at : [])]
    const problem = offer.unpriced ?? (isObject(offer.pricing) ? undefined : NO_PRICES)
    if (problem) observations.unpriced(offer.provider, resource, problem, pointer(...where))
    else readOffer(reading, offer, resource, where)
  }
}

function readOffer(reading: Reading, offer: Offer, resource: string, where: Path) {
  const { list, observations } = reading
  const report = (reason: string, example: unknown) => observations.ignore(reason, `${resource} ${shownValue(example)}`)
  const pricing = offer.pricing as JsonObject
  const amounts = list.amounts?.(pricing, report) ?? leaves(pricing)
  let read = 0
  for (const amount of amounts) if (readAmount(reading, offer, resource, amount, where)) read++
  if (read === 0) observations.unpriced(offer.provider, resource, NO_PRICES, pointer(...where))
}

/** Returns whether it is an amount of a price, whatever becomes of it. */
function readAmount(reading: Reading, offer: Offer, resource: string, amount: Amount, where: Path): boolean {
  const { list, observations, found, inputs } = reading
  const { key, value, tier = {} } = amount
  const price = lookUp(list.prices, key)
  if (!price) {
    if (list.pricing.length > 0 && !list.notPrices?.includes(key))
      observations.ignore(`an unknown kind of price: ${key}`, `${resource} ${key} = ${shownValue(value)}`)
    return false
  }
  found.add(key)
  const { dimension, shift } = price
  const quoted = {
    provider: offer.provider, resource, dimension, amount: value, decimalShift: shift, tier,
    canonicalResource: canonicalOf(offer.provider, resource), locator: pointer(...where, ...amount.at),
  } // biome-ignore format: one thing after another
  const isMain = dimension === 'input_tokens' || dimension === 'output_tokens'
  if (isZero(value) && !price.zeroIsFree && !(offer.isFree && isMain))
    observations.zero(
      quoted,
      isMain ? 'a zero that does not say that the model is free' : 'a zero that says nothing is charged apart',
    )
  else observations.price(quoted)
  if (dimension === 'input_tokens' && Object.keys(tier).length === 0) inputs.push(Number(value) / 10 ** shift)
  return true
}
