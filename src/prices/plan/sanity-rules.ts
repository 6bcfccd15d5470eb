import { resourceKey } from '../../catalog/resource-rules.ts'
import { tally } from '../../lib/collections.ts'
import { isCanonicalDecimal } from '../../lib/decimal.ts'
import { isName, isStorable, type LineIdentity, type Money, type Observation } from '../schema.ts'
import type { HoldReason } from './schema.ts'

/** The highest price per unit that is published without a person's approval, in US dollars. */
const MOST_USD: { [unit: string]: number } = {
  usd_per_token: 0.001,
  usd_per_character: 0.01,
  usd_per_gpu_hour: 50,
  usd_per_instance_hour: 2_000,
  usd_per_image: 50,
  usd_per_second: 50,
}
/** No price list asks more for input: $200 per million tokens. */
const MOST_USD_PER_INPUT_TOKEN = 0.0002
const LEAST_USD_PER_GPU_HOUR = 0.005
/** No token is cheaper: a hundredth of a cent per million. A lower price was divided by a million twice. */
const LEAST_USD_PER_TOKEN = 1e-10

/** Returns whether a price is higher or lower than anything of its kind costs. */
export function implausible(line: LineIdentity, money: Money): HoldReason[] {
  const price = Number(money.price)
  const limit =
    line.dimension === 'input_tokens' && line.unit === 'usd_per_token' ? MOST_USD_PER_INPUT_TOKEN : MOST_USD[line.unit]
  const tooMuch = limit !== undefined && price > limit
  const tooLittle =
    (line.dimension === 'gpu_hours' && line.currency === 'USD' && price < LEAST_USD_PER_GPU_HOUR) ||
    (line.unit === 'usd_per_token' && price > 0 && price < LEAST_USD_PER_TOKEN)
  return tooMuch || tooLittle ? ['implausible_price'] : []
}

export type Usable = { usable: Observation[]; suppressed: Record<string, number> }

/**
 * Returns the observations that can be compared and stored. The others are counted by reason. A zero for cached tokens
 * beside a price for uncached ones means "unknown" in the sources, so it is left out too.
 */
export function usableObservations(observations: Observation[]): Usable {
  const suppressed: Record<string, number> = {}
  const priced = new Set<string>()
  for (const observed of observations)
    if (observed.dimension === 'input_tokens' && observed.price !== '0') priced.add(resourceKey(observed))
  const usable = observations.filter((observed) => {
    const problem = problemOf(observed, priced)
    if (problem) tally(suppressed, problem)
    return problem === undefined
  })
  return { usable, suppressed }
}

function problemOf(observed: Observation, priced: Set<string>): string | undefined {
  const { price, resource, dimension, pricingTier } = observed
  if (!isCanonicalDecimal(price)) return 'not_a_price'
  const { canonicalResource, effectiveFrom, category, billingCondition, locator } = observed
  if (!isName(resource) || (canonicalResource !== undefined && !isName(canonicalResource))) return 'unreadable_name'
  const texts = [effectiveFrom, category, billingCondition, locator, ...Object.values(pricingTier)]
  if (!texts.every((text) => text === undefined || isStorable(text))) return 'unreadable_text'
  if (price === '0' && dimension.startsWith('cache_') && priced.has(resourceKey(observed))) return 'zero_means_unknown'
  return undefined
}
