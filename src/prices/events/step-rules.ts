import { LARGE_FACTOR } from '../plan/holds/change-rules.ts'
import { product } from '../plan/renames/name-rules.ts'
import { STANDARD_TIER } from '../row-rules.ts'
import type { LineIdentity, Money } from '../schema.ts'

/** Tiers that are steps: without them usage is charged at the price of the line without them. */
const STEPS = ['context', 'timeOfDay', 'volume']
/** A provider begins or ends the steps of few products at once; with more, only the list writes them differently. */
const MOST_PRODUCTS = 3

const tierOf = (line: LineIdentity): { [key: string]: string } => JSON.parse(line.pricingTier)

/** Returns the line that applies where this one does not exist; undefined when none does. */
export function fallbackLine<T extends LineIdentity>(line: T): LineIdentity | undefined {
  if (line.pricingTier === STANDARD_TIER) return undefined
  const tier = tierOf(line)
  const kept = Object.entries(tier).filter(([key]) => !STEPS.includes(key))
  if (kept.length === Object.keys(tier).length) return undefined
  const { provider, resource, dimension, unit, currency } = line
  return { provider, resource, dimension, unit, currency, pricingTier: JSON.stringify(Object.fromEntries(kept)) }
}

/** Returns whether a tier's price is a plausible step of the price without it, neither equal nor of something else. */
export function isStep(base: string, line: LineIdentity & Pick<Money, 'price'>): boolean {
  if (base === line.price) return false
  const factor = Number(line.price) / Number(base)
  // No more input is sent at once to pay less for each token of it.
  if (factor < 1 && 'context' in tierOf(line)) return false
  return Math.max(factor, 1 / factor) <= LARGE_FACTOR
}

/** Returns whether enough products begin or end a step in one snapshot to show that only the list changed. */
export const isListLearning = (steps: (LineIdentity & Money)[]): boolean =>
  new Set(steps.map((step) => product(step.canonicalResource ?? step.resource))).size > MOST_PRODUCTS
