import { keyWithinResource, STANDARD_TIER } from '../../row-rules.ts'
import type { LineIdentity } from '../../schema.ts'

type PricedLine = Pick<LineIdentity, 'dimension' | 'unit' | 'currency' | 'pricingTier'>

/** A line of one resource with its price as a number. */
export type LinePrice = PricedLine & { price: number }

/** The prices that a line of the same resource is compared with: input, and those without its batch or its long context. */
export type Beside = { input?: LinePrice; standard?: LinePrice; short?: LinePrice }

/** The prices of a resource: as they are published, as the snapshot lists them, and published ones it does not list. */
export type ResourcePrices = { before: LinePrice[]; after: LinePrice[]; left: LinePrice[] }

/** Returns what a line is compared with. A free input says nothing of the prices beside it. */
export function besideOf(line: LinePrice, lines: LinePrice[], index: Map<string, LinePrice>): Beside {
  const nearest = nearestInput(line, lines)
  const input = nearest && nearest.price > 0 ? nearest : undefined
  if (line.pricingTier === STANDARD_TIER) return { input }
  const tier: { [key: string]: string } = JSON.parse(line.pricingTier)
  const base = (key: string) => index.get(keyWithinResource({ ...line, pricingTier: without(line.pricingTier, key) }))
  return {
    input,
    standard: tier.service === 'batch' || tier.service === 'flex' ? base('service') : undefined,
    short: 'context' in tier ? base('context') : undefined,
  }
}

/**
 * Returns the input price that applies beside a line: that of the same tier. How long a cache lives is not a condition of
 * the input, so `{context, ttl}` stands beside `{context}`.
 */
export function nearestInput<T extends LinePrice>(
  { pricingTier, unit, currency }: PricedLine,
  lines: T[],
): T | undefined {
  const tiers = [pricingTier, without(pricingTier, 'ttl')]
  const inputs = lines.filter(
    (line) => line.dimension === 'input_tokens' && line.unit === unit && line.currency === currency,
  )
  for (const tier of tiers) {
    const input = inputs.find((line) => line.pricingTier === tier)
    if (input) return input
  }
  return undefined
}

/** Returns a tier without one of its keys; canonical, because the others stay in their order. */
function without(pricingTier: string, key: string): string {
  if (pricingTier === STANDARD_TIER) return pricingTier
  const { [key]: _, ...rest } = JSON.parse(pricingTier)
  return JSON.stringify(rest)
}
