import type { Dimension } from '../../catalog/schema.ts'
import { lookUp } from '../../lib/collections.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { canonicalOf } from '../reading/canonical-ids.ts'
import { isObject, type JsonObject, listOf, pointer, readJson, textAt } from '../reading/json.ts'
import { isZero, startObservations } from '../reading/observations.ts'

const PROVIDER = 'openrouter'

/** Keys of `pricing`: decimal texts, US dollars per one. */
const DIMENSIONS: Record<string, Dimension> = {
  prompt: 'input_tokens',
  completion: 'output_tokens',
  internal_reasoning: 'reasoning_tokens',
  input_cache_read: 'cache_read_tokens',
  input_cache_write: 'cache_write_tokens',
  audio: 'input_audio_tokens',
  audio_output: 'output_audio_tokens',
  input_audio_cache: 'cache_read_audio_tokens',
  image: 'input_images',
  image_token: 'input_image_tokens',
  image_output: 'output_image_tokens',
  request: 'requests',
  web_search: 'web_searches',
}
/** Zero is a price of these alone; elsewhere it says that nothing is charged apart. */
const MAY_BE_FREE = ['prompt', 'completion']

/** An image costs as much as a token only where the list means a token of an image, as it does since 2026. */
const dimensionOf = (key: string, amount: unknown, { prompt }: JsonObject): Dimension | undefined =>
  key === 'image' && Number(amount) === Number(prompt) ? 'input_image_tokens' : lookUp(DIMENSIONS, key)

/** openrouter.ai `GET /api/v1/models`: what OpenRouter charges for each model it resells. */
export const openrouter: PriceCollector = {
  format: 'openrouter',
  parserVersion: 4,
  parse(bytes) {
    const answer = readJson(bytes)
    if (!isObject(answer) || !('data' in answer))
      throw new SnapshotError('The answer has no `data`: the format changed.')
    const observations = startObservations()
    observations.provider(PROVIDER, 'OpenRouter')
    for (const [index, model] of listOf(answer.data, 'The list of models').entries()) {
      const resource = textAt(model, 'id')
      if (!resource) {
        observations.ignore('a model without an id or without prices', JSON.stringify(model).slice(0, 100))
        continue
      }
      if (!isObject(model.pricing)) {
        observations.unpriced(PROVIDER, resource, 'a model without an id or without prices', pointer('data', index))
        continue
      }
      for (const [rawKey, amount] of Object.entries(model.pricing)) {
        const key = rawKey.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        const dimension = dimensionOf(key, amount, model.pricing)
        const shown = `${resource} ${rawKey}`
        if (!dimension)
          observations.ignore(`an unknown kind of price: ${rawKey}`, `${shown} = ${JSON.stringify(amount)}`)
        else {
          const quoted = {
            provider: PROVIDER, resource, dimension, amount, canonicalResource: canonicalOf(PROVIDER, resource),
            locator: pointer('data', index, 'pricing', rawKey),
          } // biome-ignore format: one thing after another
          if (isZero(amount) && !MAY_BE_FREE.includes(key))
            observations.zero(quoted, 'a zero that says nothing is charged apart')
          else observations.price(quoted)
        }
      }
    }
    return observations.done()
  },
}
