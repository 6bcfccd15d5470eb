import { canonicalJson, type Json } from '../lib/canonical-json.ts'
import { joinKey } from '../lib/collections.ts'
import { sha256 } from '../lib/hash.ts'
import type { Instant } from '../lib/instant.ts'
import type { LineIdentity, Money, Observation } from './schema.ts'

/** The pricing tier of a price without conditions, as `price_line.pricing_tier` holds it. */
export const STANDARD_TIER = '{}'

type WithinResource = Pick<LineIdentity, 'dimension' | 'unit' | 'currency' | 'pricingTier'>

export const lineKey = (line: LineIdentity): string => joinKey(line.provider, line.resource, keyWithinResource(line))

/** Tells the lines of one resource apart. */
export const keyWithinResource = ({ dimension, unit, currency, pricingTier }: WithinResource): string =>
  joinKey(dimension, unit, currency, pricingTier)

export function identityOf(observed: Observation): LineIdentity {
  const { provider, resource, dimension, unit, currency, pricingTier } = observed
  return { provider, resource, dimension, unit, currency, pricingTier: tierText(pricingTier) }
}

/** Returns a tier as lines are distinguished by it. */
export function tierText(pricingTier: Observation['pricingTier']): string {
  // Most lines are of the standard tier; canonical JSON of the others costs a sort.
  for (const _ in pricingTier) return canonicalJson(pricingTier as Json)
  return STANDARD_TIER
}

export function moneyOf(observed: Money): Money {
  const { price, effectiveFrom, canonicalResource, category, billingCondition } = observed
  return { price, effectiveFrom, canonicalResource, category, billingCondition }
}

/**
 * Returns the canonical JSON of all facts of a row. Source and recordedAt are among them, so the same price from two
 * sources, or recorded at two instants, is two rows.
 */
export function rowFacts(source: string, line: LineIdentity, money: Money, recordedAt: Instant): string {
  const { provider, resource, dimension, unit, currency, pricingTier } = line
  const identity = { source, provider, resource, dimension, unit, currency, pricingTier }
  return canonicalJson({ ...identity, ...moneyOf(money), recordedAt })
}

/** Returns a row's identity: the SHA-256 of its facts. */
export const contentHash = (source: string, line: LineIdentity, money: Money, recordedAt: Instant): string =>
  sha256(rowFacts(source, line, money, recordedAt))
