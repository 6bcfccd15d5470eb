import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Observation } from '../schema.ts'

/** What tells one price line of a source from another. */
export type LineIdentity = {
  provider: string
  resource: string
  dimension: string
  unit: string
  currency: string
  /** Canonical JSON of the tier; `{}` is the standard tier. */
  pricingTier: string
}

/** What a price row says of its line's price: the price and the other money fields. */
export type Money = {
  price: string
  effectiveFrom?: string
  canonicalResource?: string
  category?: string
  billingCondition?: string
}

/** The fields whose change, at the same price, is a `price.revised` (specification, Event types). */
export const REVISABLE = ['effectiveFrom', 'canonicalResource', 'category', 'billingCondition'] as const

/** A row that is about to be recorded. */
export type NewRow = LineIdentity &
  Money & { contentHash: string; recordedAt: Instant; locator?: string; parserVersion: number; snapshotHash?: string }

const SEPARATOR = '\u001f'

export const lineKey = (line: LineIdentity): string =>
  [line.provider, line.resource, line.dimension, line.unit, line.currency, line.pricingTier].join(SEPARATOR)

export const resourceKey = (of: { provider: string; resource: string }): string =>
  `${of.provider}${SEPARATOR}${of.resource}`

const STANDARD_TIER = '{}'

export function identityOf(observed: Observation): LineIdentity {
  const { provider, resource, dimension, unit, currency, pricingTier } = observed
  // Most lines are of the standard tier; canonical JSON of the others costs a sort.
  let tier = STANDARD_TIER
  for (const _ in pricingTier) {
    tier = canonicalJson(pricingTier as Json)
    break
  }
  return { provider, resource, dimension, unit, currency, pricingTier: tier }
}

export function moneyOf(observed: Money): Money {
  const { price, effectiveFrom, canonicalResource, category, billingCondition } = observed
  return { price, effectiveFrom, canonicalResource, category, billingCondition }
}

/**
 * A row's identity: SHA-256 of the canonical JSON of everything it says. Source and recordedAt are part of it, so the
 * same price told by two sources, or recorded twice in time, is two rows.
 */
export function contentHash(source: string, line: LineIdentity, money: Money, recordedAt: Instant): string {
  const { provider, resource, dimension, unit, currency, pricingTier } = line
  const identity = { source, provider, resource, dimension, unit, currency, pricingTier }
  return sha256(canonicalJson({ ...identity, ...moneyOf(money), recordedAt }))
}
