import type { PricingTier } from '../../../catalog/schema.ts'
import { lookUp } from '../../../lib/collections.ts'
import type { Instant } from '../../../lib/instant.ts'
import { type PriceCollector, SnapshotError } from '../../collector.ts'
import { canonicalOf } from '../../reading/canonical-ids.ts'
import { isObject, type JsonObject, listOf, pointer, readJson, textAt } from '../../reading/json.ts'
import type { Path } from '../../reading/json-entries.ts'
import { type Observations, startObservations } from '../../reading/observations.ts'
import { isZero, shownValue } from '../../reading/quote-rules.ts'
import { leaves } from './amounts.ts'
import type { Amount, ModelList, Offer } from './declaration.ts'
import { checkMagnitude } from './magnitude.ts'

const NO_PRICES = 'a model without an id or without prices'

/** The collector of a list that a declaration describes. */
export const modelList = (list: ModelList): PriceCollector => ({
  format: list.format,
  parserVersion: list.parserVersion,
  parse(bytes, { at, source }) {
    const answer = readJson(bytes)
    const models = modelsOf(list, answer)
    list.check?.(models)
    const [currency, tier] = [currencyOf(list, answer), list.tier?.(source.options) ?? {}]
    const reading: State = { list, observations: startObservations(), found: new Set(), inputs: [], at, currency, tier }
    if (!list.offers) reading.observations.provider(list.provider, list.name)
    const unclear = repeated(list, models)
    for (const [index, model] of models.entries()) {
      const resource = textAt(model, list.id)
      const place = [...wayOf(list), list.isKeyed ? resource! : index]
      const problem = resource && unclear.has(resource) ? 'a name that stands twice with other prices' : undefined
      if (!resource) reading.observations.ignore(NO_PRICES, JSON.stringify(model).slice(0, 100))
      else readModel(reading, model, { resource, place, problem })
    }
    for (const key of list.needed)
      if (!reading.found.has(key)) throw new SnapshotError(`No model has a price \`${key}\`: the format changed.`)
    checkMagnitude(reading.inputs)
    return reading.observations.done()
  },
})

type State = {
  list: ModelList
  observations: Observations
  /** Keys that stand in a model. */
  found: Set<string>
  /** Input prices per token, to see their order of magnitude. */
  inputs: number[]
  at: Instant
  currency: string
  /** Of every price. */
  tier: PricingTier
}

const DOLLAR = 'USD'

function currencyOf({ currency }: ModelList, answer: unknown): string {
  const named = currency ? currency(isObject(answer) ? answer : {}) : DOLLAR
  if (named === undefined) throw new SnapshotError('The answer does not say its currency: the format changed.')
  return named
}

const wayOf = ({ list }: ModelList): string[] => list?.split('.') ?? []

function modelsOf(declared: ModelList, answer: unknown): JsonObject[] {
  const { list, isKeyed, id } = declared
  if (list === undefined) return listOf(answer, 'The answer')
  const value = wayOf(declared).reduce((above, key) => (isObject(above) ? above[key] : undefined), answer)
  if (value === undefined) throw new SnapshotError(`The answer has no \`${list}\`: the format changed.`)
  if (!isKeyed) return listOf(value, 'The list of models')
  const entries = isObject(value) ? Object.entries(value) : value
  const named = Array.isArray(entries)
    ? entries.map(([name, entry]) => (isObject(entry) ? { ...entry, [id]: name } : entry))
    : entries
  return listOf(named, 'The list of models')
}

const offersOf = (list: ModelList, model: JsonObject): Offer[] => {
  const pricing = list.pricing.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), model)
  return list.offers?.(model) ?? [{ provider: list.provider, name: list.name, pricing, at: list.pricing }]
}

/** Names that stand twice, and not with the same prices: which ones hold is unknown. */
function repeated(list: ModelList, models: JsonObject[]): Set<string> {
  const first = new Map<string, string>()
  const unclear = new Set<string>()
  for (const model of models) {
    const name = textAt(model, list.id)
    if (!name) continue
    const shown = JSON.stringify(offersOf(list, model).map(({ provider, pricing }) => [provider, pricing]))
    if ((first.get(name) ?? shown) !== shown) unclear.add(name)
    first.set(name, shown)
  }
  return unclear
}

type ModelEntry = { resource: string; place: Path; problem?: string }

function readModel(state: State, model: JsonObject, { resource, place, problem }: ModelEntry) {
  const { list, observations } = state
  const leftOut = list.leftOut?.(model, state.at)
  if (leftOut) return observations.ignore(leftOut, resource)
  const unclear = problem ?? list.unclear?.(model)
  const offers = offersOf(list, model)
  if (offers.length === 0) observations.ignore('a model without an offer', resource)
  for (const offer of offers) {
    if (list.offers) observations.provider(offer.provider, offer.name)
    if (list.facts) observations.facts(offer.provider, resource, list.facts(model))
    const where = [...place, ...(isObject(offer.pricing) ? offer.at : [])]
    const reason = unclear ?? offer.unpriced ?? (isObject(offer.pricing) ? undefined : NO_PRICES)
    if (reason) observations.unpriced(offer.provider, resource, reason, pointer(...where))
    else readOffer(state, offer, resource, where)
  }
}

function readOffer(state: State, offer: Offer, resource: string, where: Path) {
  const { list, observations, at } = state
  const shown = (example: unknown) => `${resource} ${shownValue(example)}`
  const pricing = offer.pricing as JsonObject
  const amounts =
    list.amounts?.(pricing, {
      at,
      report: (reason, example) => observations.ignore(reason, shown(example)),
      later: (then, example) => observations.later(then, shown(example)),
    }) ?? leaves(pricing)
  let read = 0
  for (const amount of amounts) if (readAmount(state, offer, resource, amount, where)) read++
  if (read === 0) observations.unpriced(offer.provider, resource, NO_PRICES, pointer(...where))
}

/** What may be a price where prices stand beside everything else that is said of a model. */
const PRICE_WORDS = /price|pricing|cost|rate|fee|discount/i

/** Returns whether it is an amount of a price, whatever becomes of it. */
function readAmount(state: State, offer: Offer, resource: string, amount: Amount, where: Path): boolean {
  const { list, observations, found, inputs, currency } = state
  const { key, value, tier = {} } = amount
  const price = lookUp(list.prices, key)
  if (!price) {
    const mayBePrice = list.pricing.length > 0 || list.offers || PRICE_WORDS.test(key)
    if (mayBePrice && !list.notPrices?.(key))
      observations.ignore(`an unknown kind of price: ${key}`, `${resource} ${key} = ${shownValue(value)}`)
    return false
  }
  found.add(key)
  const { dimension, shift } = price
  const quoted = {
    provider: offer.provider, resource, dimension, amount: value, decimalShift: shift, currency, tier: { ...state.tier, ...tier },
    canonicalResource: canonicalOf(offer.provider, resource), locator: pointer(...where, ...amount.at),
  } // biome-ignore format: one thing after another
  const isMain = dimension === 'input_tokens' || dimension === 'output_tokens'
  if (!isZero(value) || price.zeroIsFree || (offer.isFree && isMain)) observations.price(quoted)
  else {
    const reason = isMain
      ? 'a zero that does not say that the model is free'
      : 'a zero that says nothing is charged apart'
    observations.zero(quoted, reason)
  }
  if (dimension === 'input_tokens' && Object.keys(tier).length === 0) inputs.push(Number(value) / 10 ** shift)
  return true
}
