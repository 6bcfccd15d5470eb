import type { PricingTier } from '../../catalog/schema.ts'
import { providerSlug } from '../reading/provider-slugs.ts'

/** A key of LiteLLM as its seller's name of the model, and what the rest of the key says of the price. */
export type LitellmName = { resource: string; tier: PricingTier }

/** What the parts before a name mean, in the order in which they are tried. Other parts belong to the name. */
const PARTS: [RegExp, (part: string) => PricingTier][] = [
  [/^(invoke|converse|responses|\*)$/, () => ({})],
  [/^(us|eu|apac|[a-z]{2}(-gov)?-[a-z]+-\d)$/, (region) => ({ region })],
  [/^global(-standard)?$/, () => ({ region: 'global' })],
  [/^\d+-month-commitment$/, (offer) => ({ offer })],
  [/^(\d+|max)-x-(\d+|max)$/, (size) => ({ resolution: size.replace('-x-', 'x') })],
  [/^(\d+|max)-steps$/, (quality) => ({ quality })],
]
const QUALITY = /^(hd|standard|low|medium|high)$/
const SIZE = /-x-/

/** Reads `bedrock/us-gov-west-1/amazon.nova-pro-v1:0` as a model with a region: one name of a model, several tiers. */
export function litellmName(key: string, provider: string): LitellmName {
  const parts = key.split('/')
  const tier: PricingTier = {}
  if (parts.length > 1 && providerSlug(parts[0]!) === provider) parts.shift()
  for (;;) {
    const [first = '', next] = parts
    if (next === undefined) break
    const meaning = QUALITY.test(first) && SIZE.test(next) ? { quality: first } : meaningOf(first, provider)
    if (!meaning) break
    Object.assign(tier, meaning)
    parts.shift()
  }
  return { resource: parts.join('/'), tier }
}

function meaningOf(part: string, provider: string): PricingTier | undefined {
  // `1024-x-1024/50-steps/bedrock/amazon.nova-canvas-v1:0`: the seller's name behind the size.
  if (part === 'bedrock' && provider === 'aws') return {}
  return PARTS.find(([pattern]) => pattern.test(part))?.[1](part)
}
