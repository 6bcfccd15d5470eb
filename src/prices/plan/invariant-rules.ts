import { keyWithinResource, STANDARD_TIER } from '../row-rules.ts'
import type { LineIdentity } from '../schema.ts'
import type { HoldReason } from './schema.ts'

/** A line of one resource with its price as a number. */
export type Priced = Pick<LineIdentity, 'dimension' | 'unit' | 'currency' | 'pricingTier'> & { price: number }

/** Writing to a cache costs up to twice the input price for the longest time to live. */
const CACHE_WRITE_LIMIT = 2

/**
 * Returns the broken relations between the prices of one resource, each with the line that breaks it. Of 3,220 real
 * chat models at most three break each rule, so a break is nearly always damage.
 */
export function brokenInvariants(lines: Priced[]): { line: Priced; reason: HoldReason }[] {
  const broken: { line: Priced; reason: HoldReason }[] = []
  const index = new Map(lines.map((line) => [keyWithinResource(line), line]))
  const find = (dimension: string, pricingTier: string, { unit, currency }: Priced) =>
    index.get(keyWithinResource({ dimension, unit, currency, pricingTier }))
  for (const line of lines) {
    if (line.price === 0) continue
    const input = find('input_tokens', line.pricingTier, line) ?? find('input_tokens', STANDARD_TIER, line)
    if (input && input.price > 0) {
      if (line.dimension === 'cache_read_tokens' && line.price > input.price)
        broken.push({ line, reason: 'cache_read_above_input' })
      if (line.dimension === 'cache_write_tokens' && line.price > CACHE_WRITE_LIMIT * input.price)
        broken.push({ line, reason: 'cache_write_far_above_input' })
      if (line.dimension === 'output_tokens' && line.price < input.price && line.pricingTier === input.pricingTier)
        broken.push({ line, reason: 'output_below_input' })
    }
    if (line.pricingTier === STANDARD_TIER) continue
    const base = find(line.dimension, STANDARD_TIER, line)
    if (!base || base.price === 0) continue
    const tier: { [key: string]: string } = JSON.parse(line.pricingTier)
    const [key, ...more] = Object.keys(tier)
    if (more.length > 0) continue
    if (key === 'service' && (tier.service === 'batch' || tier.service === 'flex') && line.price > base.price)
      broken.push({ line, reason: 'batch_above_standard' })
    if (key === 'context' && line.price < base.price) broken.push({ line, reason: 'tier_below_base' })
  }
  return broken
}
