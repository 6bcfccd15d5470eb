import { joinKey } from '../../lib/collections.ts'
import { keyWithinResource, STANDARD_TIER } from '../row-rules.ts'
import type { LineIdentity } from '../schema.ts'
import type { HoldReason } from './schema.ts'

type PricedLine = Pick<LineIdentity, 'dimension' | 'unit' | 'currency' | 'pricingTier'>

/** A line of one resource with its price as a number. */
export type Priced = PricedLine & { price: number }

/** Input and output that were swapped: output costs more than twice its input nearly everywhere. */
const SWAPPED_SHARE = 0.5
/** Writing to a cache costs up to twice the input price for the longest time to live. */
const CACHE_WRITE_LIMIT = 2

/**
 * Returns the broken relations between the prices of one resource, each with the line that breaks it. Of 3,220 real
 * chat models at most three break each rule, so a break is nearly always damage.
 */
export function brokenInvariants(lines: Priced[]): { line: Priced; reason: HoldReason }[] {
  const index = new Map(lines.map((line) => [keyWithinResource(line), line]))
  return lines
    .filter(({ price }) => price > 0)
    .flatMap((line) => [...besideInput(line, lines), ...besideBase(line, index)])
}

type Broken = { line: Priced; reason: HoldReason }

function besideInput(line: Priced, lines: Priced[]): Broken[] {
  const input = nearestInput(line, lines)
  if (!input || input.price === 0) return []
  const { dimension, price, pricingTier } = line
  if (dimension === 'cache_read_tokens' && price > input.price) return [{ line, reason: 'cache_read_above_input' }]
  if (dimension === 'cache_write_tokens' && price > CACHE_WRITE_LIMIT * input.price)
    return [{ line, reason: 'cache_write_far_above_input' }]
  if (dimension === 'output_tokens' && price < input.price && pricingTier === input.pricingTier) {
    const isSwapped = price < input.price * SWAPPED_SHARE
    return [{ line, reason: isSwapped ? 'output_below_input' : 'output_slightly_below_input' }]
  }
  return []
}

/**
 * Returns the input price that applies beside a line: that of the same tier. How long a cache lives is no condition of
 * the input, so `{context, ttl}` stands beside `{context}`.
 */
export function nearestInput<T extends Priced>({ pricingTier, unit, currency }: PricedLine, lines: T[]): T | undefined {
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

/** A batch is not more expensive than the same request alone, and a long context not cheaper than a short one. */
function besideBase(line: Priced, index: Map<string, Priced>): Broken[] {
  if (line.pricingTier === STANDARD_TIER) return []
  const tier: { [key: string]: string } = JSON.parse(line.pricingTier)
  const base = (key: string) => index.get(keyWithinResource({ ...line, pricingTier: without(line.pricingTier, key) }))
  const standard = tier.service === 'batch' || tier.service === 'flex' ? base('service') : undefined
  const short = 'context' in tier ? base('context') : undefined
  return [
    ...(standard && standard.price > 0 && line.price > standard.price
      ? [{ line, reason: 'batch_above_standard' as const }]
      : []),
    ...(short && line.price < short.price ? [{ line, reason: 'tier_below_base' as const }] : []),
  ]
}

/** Returns a tier without one of its keys; canonical, because the others stay in their order. */
function without(pricingTier: string, key: string): string {
  if (pricingTier === STANDARD_TIER) return pricingTier
  const { [key]: _, ...rest } = JSON.parse(pricingTier)
  return JSON.stringify(rest)
}

/** The prices of a resource: as they are published, as the snapshot lists them, and published ones it does not list. */
export type ResourcePrices = { before: Priced[]; after: Priced[]; left: Priced[] }

/** A relation that was intact before, with the key of the line that breaks it within its resource. */
export type BrokenRelation = { key: string; reason: HoldReason }

/** Returns the relations that the listed prices break, among themselves and beside those that would stay as they are. */
export function brokenRelations({ before, after, left }: ResourcePrices): BrokenRelation[] {
  const known = new Set(brokenInvariants(before).map(keyOf))
  const broken = brokenInvariants(after).filter((one) => !known.has(keyOf(one)))
  const found = broken.map(({ line, reason }) => ({ key: keyWithinResource(line), reason }))
  if (left.length === 0) return found
  const all = new Set([...known, ...broken.map(keyOf)])
  const beside = brokenInvariants([...after, ...left]).filter((one) => !all.has(keyOf(one)))
  return [
    ...found,
    ...beside.map(({ line }) => ({ key: keyWithinResource(line), reason: 'contradicts_missing_line' as const })),
  ]
}

const keyOf = ({ line, reason }: Broken) => joinKey(keyWithinResource(line), reason)
