import { groupBy } from '../../lib/collections.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { canonicalOf } from '../reading/canonical-ids.ts'
import { isObject, type JsonObject, listOf, pointer, readJson, textAt } from '../reading/json.ts'
import { type Observations, startObservations } from '../reading/observations.ts'
import { genaiKey } from './genai-prices-keys.ts'

/** github.com/pydantic/genai-prices `data.json`, versions 1 and 2: a list of providers, each with models and prices. */
export const genaiPrices: PriceCollector = {
  format: 'genai-prices',
  parserVersion: 8,
  parse(bytes, { at }) {
    const observations = startObservations()
    for (const [providerIndex, provider] of listOf(readJson(bytes), 'The list of providers').entries()) {
      const id = textAt(provider, 'id')
      if (!id || !Array.isArray(provider.models))
        throw new SnapshotError(`Provider ${providerIndex} has no id or no models: the format changed.`)
      observations.provider(id, textAt(provider, 'name') ?? id)
      const { models } = provider
      const secondNames = secondNamesOf(id, models)
      for (const [index, model] of models.entries()) {
        const locator = pointer(providerIndex, 'models', index)
        const name = isObject(model) ? (textAt(model, 'id') ?? '') : ''
        if (secondNames.has(name)) observations.ignore(SECOND_NAME, `${id} ${name} at ${locator}`)
        else readModel(observations, id, model, locator, at)
      }
    }
    return observations.done()
  },
}

/** Sellers whose every id is `<organization>/<name>`. */
const NAMED_WITH_ORGANIZATION = new Set(['openrouter'])
const SECOND_NAME = 'a second name of a model that is listed under its seller’s own'

/**
 * The names without their organization of models that are listed with it too, at another price in every fifth case: the
 * seller's own id is the one that counts. A name that two organizations share, or none, is not a second name for certain.
 */
function secondNamesOf(provider: string, models: unknown[]): Set<string> {
  if (!NAMED_WITH_ORGANIZATION.has(provider)) return new Set()
  const ids = models.flatMap((model) => (isObject(model) ? (textAt(model, 'id') ?? []) : []))
  const own = groupBy(
    ids.filter((id) => id.includes('/')),
    (id) => id.slice(id.indexOf('/') + 1),
  )
  return new Set(ids.filter((id) => own.get(id)?.length === 1))
}

function readModel(observations: Observations, provider: string, model: unknown, locator: string, at: Instant) {
  const resource = isObject(model) ? textAt(model, 'id') : undefined
  if (!isObject(model) || !resource) return observations.ignore('a model without an id', `${provider} at ${locator}`)
  observations.facts(provider, resource, { context: model.context_window })
  const entries = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }]
  const { inForce, announced } = datedEntries(observations, entries, `${provider} ${resource}`, at)
  if (inForce.length === 0) observations.unpriced(provider, resource, 'a model without a price in force', locator)
  const canonicalResource = canonicalOf(provider, resource)
  for (const { prices, index, begins, ...when } of [...inForce, ...announced]) {
    const where = `${locator}/prices${Array.isArray(model.prices) ? `/${index}/prices` : ''}`
    if (Object.keys(prices).length === 0) observations.unpriced(provider, resource, 'a model without a price', where)
    for (const [key, value] of Object.entries(prices)) {
      const meaning = genaiKey(key)
      // The list names the hours that are transcribed by their old and by their new key.
      if (key === 'audio_hours' && prices.input_audio_hours === value) continue
      if (!meaning) observations.ignore(`an unknown kind of price: ${key}`, `${provider} ${resource} at ${where}`)
      else
        for (const step of stepsOf(value, `${where}${pointer(key)}`)) {
          const quoted = {
            provider,
            resource,
            canonicalResource,
            effectiveFrom: when.effectiveFrom,
            dimension: meaning.dimension,
            decimalShift: meaning.decimalShift,
            tier: { ...meaning.tier, ...when.tier, ...step.tier },
            amount: step.amount,
            locator: step.locator,
          }
          if (begins) observations.announce(quoted, begins)
          else observations.price(quoted)
        }
    }
  }
}

type Entry = {
  prices: JsonObject
  index: number
  effectiveFrom?: string
  tier?: { timeOfDay: string }
  /** Of an entry that begins later. */
  begins?: Instant
}

/**
 * The prices in force at an instant, and those that begin later. Of the entries that hold all day the last one already begun counts; one for a time
 * of day is listed beside it as a tier, as long as it comes after it in the list (that is the order the list is read in).
 * One that begins later is announced when it comes after it, too.
 */
function datedEntries(observations: Observations, entries: unknown[], shown: string, at: Instant) {
  let allDay: Entry | undefined
  let timed: Entry[] = []
  let announced: Entry[] = []
  for (const [index, entry] of entries.entries()) {
    const constraint = isObject(entry) ? (entry.constraint ?? {}) : undefined
    if (!isObject(entry) || !isObject(entry.prices) || !isObject(constraint)) {
      observations.ignore('prices of an unknown shape', `${shown}: ${JSON.stringify(entry)}`)
      continue
    }
    const date = textAt(constraint, 'start_date')
    const [from, until] = [timeOf(constraint.start_time), timeOf(constraint.end_time)]
    const begins = date === undefined ? undefined : parseInstant(`${date}T00:00:00Z`)
    const read: JsonObject = { type: '', start_date: date, start_time: from, end_time: until }
    const known = Object.keys(constraint).every((key) => Object.hasOwn(read, key) && read[key] !== undefined)
    if (!known || (date !== undefined && !begins) || (from === undefined) !== (until === undefined))
      observations.ignore('a condition of an unknown kind', `${shown}: ${JSON.stringify(constraint)}`)
    else if (begins && begins > at && (from || Object.keys(entry.prices).length === 0))
      observations.later(begins, `${shown} from ${date}`)
    else if (begins && begins > at) announced.push({ prices: entry.prices, index, effectiveFrom: date, begins })
    else if (from && until)
      timed.push({ prices: entry.prices, index, effectiveFrom: date, tier: { timeOfDay: `${from}-${until}` } })
    else {
      allDay = { prices: entry.prices, index, effectiveFrom: date }
      timed = []
      announced = []
    }
  }
  return { inForce: allDay ? [allDay, ...timed] : timed, announced }
}

const TIME = /^(\d{2}:\d{2})(?::00)?Z?$/
function timeOf(value: unknown): string | undefined {
  const time = typeof value === 'string' ? TIME.exec(value)?.[1] : undefined
  return time && `${time}Z`
}

/** A price, or a base with higher steps: above `start` input tokens the whole request is charged at the step's price. */
function stepsOf(value: unknown, locator: string): { amount: unknown; tier?: { context: string }; locator: string }[] {
  if (!isObject(value) || !Array.isArray(value.tiers)) return [{ amount: value, locator }]
  const steps = value.tiers.map((step: unknown, index: number) => ({
    amount: amountOf(step),
    tier: { context: `>${isObject(step) && !isNested(step.start) ? step.start : '?'}` },
    locator: `${locator}/tiers/${index}`,
  }))
  return [{ amount: value.base, locator: `${locator}/base` }, ...steps]
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null

/** What a step costs; as a whole it is not a number where it does not say from how many tokens on. */
function amountOf(step: unknown): unknown {
  if (!isObject(step)) return [step]
  return Number.isSafeInteger(step.start) ? step.price : step
}
