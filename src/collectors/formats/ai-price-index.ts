import type { Dimension, PricingTier } from '../../catalog/schema.ts'
import { lookUp } from '../../lib/collections.ts'
import { parseInstant } from '../../lib/instant.ts'
import type { Proof } from '../../prices/schema.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { canonicalOf } from '../reading/canonical-ids.ts'
import { isObject, type JsonObject, listOf, pointer, readJson, textAt } from '../reading/json.ts'
import { type Observations, startObservations } from '../reading/observations.ts'
import { providerSlug } from '../reading/provider-slugs.ts'

/** What a variation prices. The cache of Anthropic lives five minutes unless a request says an hour. */
const VARIATIONS: Record<string, { dimension: Dimension; tier?: PricingTier }> = {
  input: { dimension: 'input_tokens' },
  output: { dimension: 'output_tokens' },
  embeddings: { dimension: 'input_tokens' },
  cache_read: { dimension: 'cache_read_tokens' },
  cache_write: { dimension: 'cache_write_tokens' },
  cache_write_5m: { dimension: 'cache_write_tokens' },
  cache_write_1h: { dimension: 'cache_write_tokens', tier: { ttl: '1h' } },
  batch_input: { dimension: 'input_tokens', tier: { service: 'batch' } },
  batch_output: { dimension: 'output_tokens', tier: { service: 'batch' } },
  image_per_item: { dimension: 'output_images' },
}
/** The power of ten of what a unit is for. */
const UNITS: Record<string, number> = { usd_per_mtok: 6, usd_per_ktok: 3, usd_per_image: 0 }

/** Makers by the index's name, where other lists give them another one. */
const MAKERS: Record<string, string> = { amazon: 'aws', 'meta-llama': 'meta' }

/**
 * RoninForge's AI Price Index (data CC BY 4.0): makers' own prices as dated intervals, each with the page it was read
 * on, how sure it is, and when it was last compared with that page. Read are its index joined with the files it names, one
 * such file, a history of several models, and `current.json`, which has no dates.
 */
export const aiPriceIndex: PriceCollector = {
  format: 'ai-price-index',
  parserVersion: 4,
  parse(bytes, { at }) {
    const observations = startObservations()
    const series = seriesOf(readJson(bytes))
    for (const one of series) readSeries(observations, one, undatedName(one, series), at)
    return observations.done()
  },
  proofOf,
}

/** The page that an interval was read on, how sure the index is, and the day it was last compared with that page. */
function proofOf(value: unknown): Proof | undefined {
  const url = isObject(value) ? textAt(value, 'src') : undefined
  if (!isObject(value) || !url) return undefined
  return { url, confidence: textAt(value, 'confidence'), validatedOn: textAt(value, 'last_validated') }
}

type Interval = { value: unknown; locator: string }
type Series = { provider: string; model: string; aliases: string[]; variations: [string, Interval[]][] }

function seriesOf(answer: unknown): Series[] {
  if (isObject(answer) && Array.isArray(answer.prices))
    return currentSeries(listOf(answer.prices, 'The list of prices'))
  if (isObject(answer) && isObject(answer.variations)) return [oneSeries(answer, '')]
  if (isObject(answer) && Array.isArray(answer.models))
    return listOf(answer.models, 'The list of models').map((model, index) => oneSeries(model, pointer('models', index)))
  throw new SnapshotError('The answer has no models, variations or prices: the format changed.')
}

function oneSeries(item: JsonObject, at: string): Series {
  const [provider, model] = [textAt(item, 'provider'), textAt(item, 'model')]
  if (!provider || !model || !isObject(item.variations))
    throw new SnapshotError(`The model at ${at || '/'} has no provider, model or variations: the format changed.`)
  const aliases = Array.isArray(item.aliases) ? item.aliases.filter((alias) => typeof alias === 'string') : []
  const variations = Object.entries(item.variations).map(([name, intervals]): [string, Interval[]] => [
    name,
    (Array.isArray(intervals) ? intervals : [intervals]).map((value, index) => ({
      value,
      locator: at + pointer('variations', name, index),
    })),
  ])
  return { provider, model, aliases, variations }
}

/** `current.json` has one entry per variation. */
function currentSeries(prices: JsonObject[]): Series[] {
  return prices.map((value, index) => {
    const [provider, model, variation] = ['provider', 'model', 'variation'].map((key) => textAt(value, key))
    if (!provider || !model || !variation)
      throw new SnapshotError(`The price at position ${index} has no provider, model or variation: the format changed.`)
    return { provider, model, aliases: [], variations: [[variation, [{ value, locator: pointer('prices', index) }]]] }
  })
}

/**
 * The name other lists give a model that the index names with its day: an alias the index gives, else the name without
 * the day, where no other model of the maker has it.
 */
function undatedName({ provider, model, aliases }: Series, all: Series[]): string {
  const alias = aliases.find((name) => model.startsWith(name))
  if (alias) return alias
  const name = withoutDay(model)
  const others = all.filter((other) => other.provider === provider && other.model !== model)
  return others.some((other) => withoutDay(other.model) === name) ? model : name
}
const withoutDay = (model: string): string => model.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')

function readSeries(observations: Observations, series: Series, undated: string, at: string) {
  const provider = lookUp(MAKERS, series.provider) ?? providerSlug(series.provider)
  const resource = series.model
  const canonicalResource = canonicalOf(provider, undated) ?? canonicalOf(provider, resource)
  for (const [variation, intervals] of series.variations) {
    const meaning = lookUp(VARIATIONS, variation)
    const shown = `${provider} ${resource} ${variation}`
    if (/^tier2_/.test(variation)) observations.ignore('a second tier, whose beginning the index does not give', shown)
    else if (!meaning) observations.ignore(`an unknown kind of price: ${variation}`, shown)
    else {
      const { dimension, tier } = meaning
      const line = { provider, resource, dimension, tier, canonicalResource }
      // Of intervals that overlap the one that began last is in force, of several that began on one day the first: it is taken.
      for (const { value, locator } of intervals.toSorted(lastBegunFirst))
        readInterval(observations, line, value, { locator, at, shown })
    }
  }
}

const lastBegunFirst = (a: Interval, b: Interval) => Number(fromOf(a) < fromOf(b)) - Number(fromOf(a) > fromOf(b))

const fromOf = ({ value }: Interval): string => (isObject(value) && textAt(value, 'from')) || ''

type Line = Pick<
  Parameters<Observations['price']>[0],
  'provider' | 'resource' | 'dimension' | 'tier' | 'canonicalResource'
>

/** Takes the interval in force: it begins with its first day and ends before its last. */
function readInterval(
  observations: Observations,
  line: Line,
  value: unknown,
  { locator, at, shown }: { locator: string; at: string; shown: string },
) {
  if (!isObject(value)) return observations.ignore('an interval that is not an object', `${shown} at ${locator}`)
  const [from, to, unit = ''] = ['from', 'to', 'unit'].map((key) => textAt(value, key))
  const begins = parseInstant(`${from}T00:00:00Z`)
  if (to !== undefined && `${to}T00:00:00.000Z` <= at) return observations.ignore('a price that has ended', shown)
  if (value.confidence === 'estimated') return observations.ignore('an estimate of the index', shown)
  const decimalShift = lookUp(UNITS, unit)
  if (decimalShift === undefined) return observations.ignore(`an unknown unit: ${unit}`, shown)
  const quoted = {
    ...line,
    amount: value.price_usd,
    decimalShift,
    effectiveFrom: begins && from,
    proof: proofOf(value),
    locator,
  }
  if (begins !== undefined && begins > at) observations.announce(quoted, begins)
  else observations.price(quoted)
}
