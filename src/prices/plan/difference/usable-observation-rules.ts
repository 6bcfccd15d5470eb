import { resourceKey } from '../../../catalog/resource-rules.ts'
import { tally } from '../../../lib/collections.ts'
import { isCanonicalDecimal } from '../../../lib/decimal.ts'
import { isStorable, isTurning } from '../../../lib/text.ts'
import { isListedName, type Observation, readableName, type UnreadablePrice } from '../../schema.ts'

export type Usable = { usable: Observation[]; unreadable: UnreadablePrice[]; suppressed: Record<string, number> }

/**
 * Returns the observations that can be compared and stored. The others are counted by reason. A zero for cached tokens
 * beside a price for uncached ones means "unknown" in the sources, so it is left out too.
 */
export function usableObservations(observations: Observation[]): Usable {
  const suppressed: Record<string, number> = {}
  const unreadable: UnreadablePrice[] = []
  const priced = new Set<string>()
  for (const observed of observations)
    if (observed.dimension === 'input_tokens' && observed.price !== '0') priced.add(resourceKey(observed))
  const usable = observations.filter((observed) => {
    const problem = problemOf(observed, priced)
    if (problem) tally(suppressed, problem)
    if (problem && isListedName(observed.resource)) unreadable.push(asUnreadable(observed))
    return problem === undefined
  })
  return { usable, unreadable, suppressed }
}

export const asUnreadable = ({ price, ...line }: Observation): UnreadablePrice => ({
  ...line,
  text: readableName(price),
})

function problemOf(observed: Observation, priced: Set<string>): string | undefined {
  const { price, dimension } = observed
  const unusable = whyUnusable(observed)
  if (unusable) return unusable
  if (price === '0' && dimension.startsWith('cache_') && priced.has(resourceKey(observed))) return 'zero_means_unknown'
  return undefined
}

/** Returns why a price can be neither compared nor stored, whatever stands beside it. */
export function whyUnusable(observed: Observation): string | undefined {
  const { price, resource, pricingTier } = observed
  if (!isCanonicalDecimal(price)) return 'not_a_price'
  const { canonicalResource, effectiveFrom, category, billingCondition, locator } = observed
  if (![resource, canonicalResource ?? resource].every(isListedName)) return 'unreadable_name'
  const texts = [effectiveFrom, category, billingCondition, locator, ...Object.values(pricingTier)]
  if (!texts.every((text) => text === undefined || isStorable(text))) return 'unreadable_text'
  if (Object.values(pricingTier).some(isTurning)) return 'unreadable_text'
  return undefined
}
