import type { WrittenFacts } from '../../catalog/facts/fact-rules.ts'
import type { Dimension } from '../../catalog/schema.ts'
import { lookUp } from '../../lib/collections.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { canonicalOf } from '../reading/canonical-ids.ts'
import { isObject, type JsonObject, pointer, readJson, textAt } from '../reading/json.ts'
import { type Observations, startObservations } from '../reading/observations.ts'
import { providerSlug } from '../reading/provider-slugs.ts'
import { isZero, isZeroOfAnything } from '../reading/quote-rules.ts'

/** Keys of `cost`: US dollars per million. */
const DIMENSIONS: Record<string, Dimension> = {
  input: 'input_tokens',
  output: 'output_tokens',
  reasoning: 'reasoning_tokens',
  cache_read: 'cache_read_tokens',
  cache_write: 'cache_write_tokens',
  input_audio: 'input_audio_tokens',
  output_audio: 'output_audio_tokens',
}
const MAY_BE_FREE = ['input', 'output']

/** models.dev `api.json`: providers by id, each with models by id and what they cost. */
export const modelsDev: PriceCollector = {
  format: 'models-dev',
  parserVersion: 8,
  parse(bytes) {
    const answer = readJson(bytes)
    if (!isObject(answer)) throw new SnapshotError('The answer is not an object of providers: the format changed.')
    const observations = startObservations()
    for (const [id, provider] of Object.entries(answer)) {
      if (!isObject(provider) || !isObject(provider.models))
        throw new SnapshotError(`Provider ${id} has no models: the format changed.`)
      const slug = providerSlug(id)
      observations.provider(slug, textAt(provider, 'name') ?? id)
      for (const [resource, model] of Object.entries(provider.models))
        readModel(observations, slug, id, resource, model)
    }
    return observations.done()
  },
}

function readModel(observations: Observations, provider: string, id: string, resource: string, model: unknown) {
  const shown = `${provider} ${resource}`
  const locator = pointer(id, 'models', resource, 'cost')
  if (isObject(model)) observations.facts(provider, resource, factsOf(model))
  if (!isObject(model) || !isObject(model.cost))
    return observations.unpriced(provider, resource, 'a model without a price', locator)
  const { tiers, context_over_200k: legacy, ...base } = model.cost
  const take = (costs: JsonObject, context: string | undefined, where: string) =>
    readCosts(observations, { provider, resource, costs, context, where })
  take(base, undefined, locator)
  if (legacy !== undefined && tiers === undefined)
    observations.ignore('context_over_200k, which its list calls legacy and often wrong', shown)
  for (const [index, step] of (Array.isArray(tiers) ? tiers : []).entries()) {
    const tier = isObject(step) ? step.tier : undefined
    if (!isObject(step) || !isObject(tier) || tier.type !== 'context' || !Number.isSafeInteger(tier.size))
      observations.ignore('a tier of an unknown kind', `${shown}: ${JSON.stringify(step)}`)
    else {
      const { tier: _, ...costs } = step
      take(costs, `>${tier.size}`, `${locator}/tiers/${index}`)
    }
  }
}

function factsOf({ limit, release_date: released }: JsonObject): WrittenFacts {
  const { context, output } = isObject(limit) ? limit : {}
  return { context, output, released }
}

type Costs = { provider: string; resource: string; costs: JsonObject; context?: string; where: string }

function readCosts(observations: Observations, { provider, resource, costs, context, where }: Costs) {
  const isUnknown = isZeroOfAnything(resource, costs.input, costs.output)
  for (const [key, amount] of Object.entries(costs)) {
    const dimension = lookUp(DIMENSIONS, key)
    const shown = `${provider} ${resource} ${key}`
    if (!dimension) observations.ignore(`an unknown kind of price: ${key}`, shown)
    else {
      const quoted = {
        provider, resource, dimension, amount, decimalShift: 6, canonicalResource: canonicalOf(provider, resource),
        tier: context ? { context } : {}, locator: where + pointer(key),
      } // biome-ignore format: one thing after another
      if (isZero(amount) && (isUnknown || !MAY_BE_FREE.includes(key)))
        observations.zero(quoted, 'a zero that means unknown')
      else observations.price(quoted)
    }
  }
}
