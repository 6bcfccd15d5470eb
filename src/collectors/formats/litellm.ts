import type { Dimension, PricingTier } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { canonicalOf } from '../reading/canonical-ids.ts'
import { isObject, type JsonObject, pointer, readJson, textAt } from '../reading/json.ts'
import { type Observations, startObservations } from '../reading/observations.ts'
import { providerSlug } from '../reading/provider-slugs.ts'
import { isZero, isZeroOfAnything } from '../reading/quote-rules.ts'
import { type CostKey, litellmKey } from './litellm-keys.ts'
import { litellmName } from './litellm-names.ts'

/** LiteLLM's `model_prices_and_context_window.json`: models by key; US dollars per one. */
export const litellm: PriceCollector = {
  format: 'litellm',
  parserVersion: 9,
  parse(bytes, { at }) {
    const answer = readJson(bytes)
    if (!isObject(answer)) throw new SnapshotError('The answer is not an object of models: the format changed.')
    const observations = startObservations()
    let understood = 0
    for (const [key, entry] of Object.entries(answer)) {
      if (key === 'sample_spec') continue
      const named = isObject(entry) ? textAt(entry, 'litellm_provider') : undefined
      if (!isObject(entry) || !named) observations.ignore('an entry without a provider', key)
      else if (hasEnded(entry, at)) observations.ignore('a model whose end has come, as the list says', key)
      else {
        understood++
        readEntry(observations, key, named, entry)
      }
    }
    if (understood === 0) throw new SnapshotError('No entry names its litellm_provider: the format changed.')
    return observations.done()
  },
}

/** The list keeps models for years after their makers ended them. */
const hasEnded = (entry: JsonObject, at: Instant): boolean => {
  const day = textAt(entry, 'deprecation_date')
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) && day <= at.slice(0, 10)
}

type Take = (key: CostKey | undefined, name: string, amount: unknown, tier: PricingTier, locator: string) => void

function readEntry(observations: Observations, key: string, named: string, entry: JsonObject) {
  const provider = providerSlug(named)
  const { resource, tier: ofKey } = litellmName(key, provider)
  const mode = textAt(entry, 'mode')
  if (Object.keys(ofKey).length === 0)
    observations.facts(provider, resource, { context: entry.max_input_tokens, output: entry.max_output_tokens })
  const canonicalResource = canonicalOf(provider, resource)
  const isUnknown = isZeroOfAnything(resource, entry.input_cost_per_token, entry.output_cost_per_token)
  const take: Take = (cost, name, amount, tier, locator) => {
    const shown = `${key} ${name} = ${JSON.stringify(amount)}`
    if (!cost) return observations.ignore(`an unknown kind of price: ${name}`, shown)
    const dimension = dimensionOf(cost.dimension, mode)
    if (!dimension && isZero(amount)) return observations.ignore('a zero that means there is none', shown)
    if (!dimension)
      return observations.ignore(`a price per second of a ${mode ?? 'model'}, which could be of anything`, shown)
    const { decimalShift } = cost
    const quoted = {
      provider, resource, dimension, amount, decimalShift, canonicalResource, locator,
      tier: { ...ofKey, ...cost.tier, ...tier },
    } // biome-ignore format: one thing after another
    if (isZero(amount) && (isUnknown || !mayBeFree(dimension, mode)))
      observations.zero(quoted, 'a zero that means there is none')
    else observations.price(quoted)
  }
  for (const [name, value] of Object.entries(entry)) {
    const locator = pointer(key, name)
    if (name === 'tiered_pricing') readSteps(observations, take, key, value, locator)
    else if (name === 'search_context_cost_per_query') readSearch(observations, take, key, value, locator)
    else if (/_dbu_cost_/.test(name)) observations.ignore('a price in Databricks units beside the one in dollars', key)
    else if (/_cost_per_|_cost(_|$)|_pricing$/.test(name)) take(litellmKey(name), name, value, {}, locator)
  }
}

/** `[{range: [0, 256000], input_cost_per_token: …}]`: the first range is the standard tier, the others begin above theirs. */
function readSteps(observations: Observations, take: Take, key: string, steps: unknown, locator: string) {
  for (const [index, step] of (Array.isArray(steps) ? steps : [steps]).entries()) {
    if (!isObject(step) || !Array.isArray(step.range) || !Number.isFinite(step.range[0])) {
      observations.ignore('a step of tiered_pricing without a range of tokens', `${key}: ${JSON.stringify(step)}`)
      continue
    }
    const from = Number(step.range[0])
    const tier = from === 0 ? {} : { context: `>${from}` }
    for (const [name, amount] of Object.entries(step))
      if (name !== 'range') take(litellmKey(name), name, amount, tier, `${locator}/${index}${pointer(name)}`)
  }
}

/** A web search costs more the more context it brings along. */
function readSearch(observations: Observations, take: Take, key: string, costs: unknown, locator: string) {
  if (!isObject(costs)) return observations.ignore('a price per search that is not by context size', key)
  for (const [name, amount] of Object.entries(costs)) {
    const quality = /^search_context_size_(low|medium|high)$/.exec(name)?.[1]
    const cost = quality && ({ dimension: 'web_searches', tier: { quality }, decimalShift: 0 } as const)
    take(cost || undefined, name, amount, {}, locator + pointer(name))
  }
}

function dimensionOf(dimension: CostKey['dimension'], mode: string | undefined): Dimension | undefined {
  if (dimension === 'per_second_in') return mode === 'audio_transcription' ? 'input_audio_seconds' : undefined
  if (dimension !== 'per_second_out')
    return dimension === 'rerank_queries' && mode === 'search' ? 'web_searches' : dimension
  if (mode === 'video_generation') return 'output_video_seconds'
  return mode === 'audio_speech' ? 'output_audio_seconds' : undefined
}

/** A zero is a free model's price of its tokens; of anything else it fills a gap. */
function mayBeFree(dimension: Dimension, mode: string | undefined): boolean {
  if (dimension === 'input_tokens') return true
  return dimension === 'output_tokens' && (mode === undefined || mode === 'chat' || mode === 'completion')
}
