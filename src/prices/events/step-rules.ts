import { LARGE_FACTOR } from '../plan/check-rules.ts'
import { product } from '../plan/name-rules.ts'
import { STANDARD_TIER } from '../row-rules.ts'
import type { LineIdentity, Money } from '../schema.ts'

/** Tiers without which usage is charged at the price of the line without them: only a higher or lower step of it. */
const STEPS = ['context', 'timeOfDay', 'volume']
/** A provider begins or ends the steps of few products at once; of more it is the list that learned to write them. */
const MOST_PRODUCTS = 3

const tierOf = (line: LineIdentity): { [key: string]: string } => JSON.parse(line.pricingTier)

/** The line that applies where this one does not exist, when there is such a line. */
export function fallbackLine<T extends LineIdentity>(line: T): LineIdentity | undefined {
  if (line.pricingTier === STANDARD_TIER) return undefined
  const tier = tierOf(line)
  const kept = Object.entries(tier).filter(([key]) => !STEPS.includes(key))
  if (kept.length === Object.keys(tier).length) return undefined
  const { provider, resource, dimension, unit, currency } = line
  return { provider, resource, dimension, unit, currency, pricingTier: JSON.stringify(Object.fromEntries(kept)) }
}

/** Whether a tier's price is a step of the price without it, and not the same price, a stale one or another thing's. */
export function isStep(base: string, line: LineIdentity & Pick<Money, 'price'>): boolean {
  if (base === line.price) return false
  const factor = Number(line.price) / Number(base)
  // No more input is sent at once to pay less for each token of it.
  if (factor < 1 && 'context' in tierOf(line)) return false
  return Math.max(factor, 1 / factor) <= LARGE_FACTOR
}

/** Whether so many products had a step begin, or end, in one snapshot that nothing but the list changed. */
export const isListLearning = (steps: (LineIdentity & Money)[]): boolean =>
  new Set(steps.map((step) => product(step.canonicalResource ?? step.resource))).size > MOST_PRODUCTS
