import type { Dimension, PricingTier } from '../../../catalog/schema.ts'
import { type JsonObject, textAt } from '../../reading/json.ts'

const MARKETPLACE = / \(Amazon Bedrock Edition\)$/
/** Words that say how tokens are priced, or nothing at all. Any other word is a price of something else. */
const KNOWN = new Set(
  `input output prompt cache cached read write token tokens count text standard inference on demand batch flex priority
   latency optimized cross region global geo long context ctx lctx speech audio video image images mantle million units`
    .trim()
    .split(/\s+/),
)
/** Models that are trained, adapted or hosted are priced apart. */
const OTHER_PRODUCT = /custom|training|grader|provisioned|optimize ?prompt/i
const MODALITIES = ['speech', 'audio', 'video', 'image'] as const
const DURATION = /^\d+[mh]$/

/** Tokens of a model, and on which terms. */
export type Tokens = { resource: string; dimension: Dimension; tier: PricingTier }

/**
 * Reads what a product of Bedrock prices by the token: `Prompt cache read input tokens`, `Input tokens flex`,
 * `USE1-Claude4Sonnet-output-tokens-long-context-cross-region-global`. One model has a dozen such products in a region:
 * each difference is part of the tier, and what has a word that is not known is not a price of tokens.
 */
export function tokensOf(attributes: JsonObject, unit: string): Tokens | undefined {
  const usage = textAt(attributes, 'usagetype') ?? ''
  const inference = textAt(attributes, 'inferenceType')
  const feature = textAt(attributes, 'feature') ?? ''
  const resource = modelOf(attributes, usage)
  if (!resource || (unit !== 'token' && unit !== 'count')) return undefined
  if (OTHER_PRODUCT.test(`${feature} ${usage}`)) return undefined
  const said = wordsOf(inference ?? stemOf(usage))
  if (said.some((word) => !KNOWN.has(word) && !DURATION.test(word))) return undefined
  const dimension = dimensionOf(new Set(said))
  if (!dimension || !said.some((word) => word.startsWith('token'))) return undefined
  // The usage type may say more than the words for people.
  const terms = new Set([...said, ...wordsOf(`${feature} ${serviceTierOf(attributes)}`), ...wordsOf(stemOf(usage))])
  return { resource, dimension, tier: tierOf(terms, said) }
}

function modelOf(attributes: JsonObject, usage: string): string | undefined {
  // Its name in the API, where the usage type has it.
  const embedded = /^[A-Z0-9]+-(.+)-mantle-/.exec(usage)?.[1]
  const named = embedded ?? textAt(attributes, 'model') ?? textAt(attributes, 'titanModel')
  const service = textAt(attributes, 'servicename') ?? ''
  return named ?? (MARKETPLACE.test(service) ? service.replace(MARKETPLACE, '') : undefined)
}

const serviceTierOf = (attributes: JsonObject): string =>
  textAt(attributes, 'serviceTier') ?? textAt(attributes, 'service_tier') ?? ''

/**
 * The part of a usage type that says what is used: of what the marketplace sells all behind the region
 * (`USE1-MP:USE1_MillionBatchInputTokens-Units`), of others from `input`, `output` or `cache` on.
 */
const stemOf = (usage: string): string =>
  /-MP:[A-Z0-9]+_(.+)$/.exec(usage)?.[1] ?? /(?:input|output|cache).*/i.exec(usage)?.[0] ?? ''

const wordsOf = (text: string): string[] =>
  text
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/(read|write)(?=\d+[mh])/g, '$1 ')
    .match(/[a-z0-9]+/g) ?? []

function dimensionOf(words: Set<string>): Dimension | undefined {
  if (words.has('cache') && words.has('read')) return 'cache_read_tokens'
  if (words.has('cache') && words.has('write')) return 'cache_write_tokens'
  if (words.has('input')) return 'input_tokens'
  return words.has('output') ? 'output_tokens' : undefined
}

function tierOf(terms: Set<string>, said: string[]): PricingTier {
  const service = (['batch', 'flex', 'priority'] as const).find((name) => terms.has(name))
  const fast = terms.has('latency') && terms.has('optimized') ? 'latency_optimized' : undefined
  const route = (['global', 'geo'] as const).find((name) => terms.has(name))
  const routed = terms.has('cross') || route ? ['cross_region', route].filter(Boolean).join('_') : undefined
  const long = terms.has('long') || terms.has('lctx') ? 'long_context' : undefined
  const offer = [routed, long].filter(Boolean).join('_')
  const ttl = [...terms].find((word) => DURATION.test(word))
  const modality = MODALITIES.find((name) => said.includes(name) || said.includes(`${name}s`))
  return {
    ...((service ?? fast) && { service: service ?? fast }),
    ...(offer && { offer }),
    ...(ttl && { ttl }),
    ...(modality && { modality }),
  }
}
