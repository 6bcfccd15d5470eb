import type { PricingTier } from '../../../catalog/schema.ts'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import type { Observation } from '../../../prices/schema.ts'
import { SnapshotError } from '../../snapshot-error.ts'
import type { PageDeclaration } from './declaration.ts'

const MILLION = 1_000_000

/**
 * Checks that the prices of a page can be what its maker charges: swapped columns, another unit and a lost model show in
 * what the prices are to each other.
 */
export function checkPrices({ name, checks }: PageDeclaration, observations: Observation[]): void {
  const fail = (problem: string): never => {
    throw new SnapshotError(`The prices of ${name} cannot be right: ${problem}.`)
  }
  const inputs = observations.filter(({ dimension, price }) => dimension === 'input_tokens' && price !== '0')
  const resources = new Set(observations.map(({ resource }) => resource))
  for (const pattern of checks.listed)
    if (!inputs.some(({ resource, pricingTier }) => pattern.test(resource) && Object.keys(pricingTier).length === 0))
      fail(`no model like ${pattern.source} has an input price`)
  if (resources.size < checks.models)
    fail(`there are ${resources.size} models, and at least ${checks.models} are known`)
  const [least, most] = checks.highestInput
  const highest = Math.max(0, ...inputs.map(({ price }) => Number(price) * MILLION))
  if (highest < least || highest > most)
    fail(`the highest input price is $${highest} per million tokens, and must be between $${least} and $${most}`)
  const prices = new Map<string, number>()
  const keyOf = (resource: string, dimension: string, tier: PricingTier) =>
    `${resource}\n${dimension}\n${canonicalJson(tier)}`
  for (const { resource, dimension, pricingTier, price } of observations)
    prices.set(keyOf(resource, dimension, pricingTier), Number(price))
  for (const { resource, pricingTier, price } of inputs) {
    const of = (dimension: string, tier: PricingTier = pricingTier) => prices.get(keyOf(resource, dimension, tier))
    const [output, cached] = [of('output_tokens'), of('cache_read_tokens')]
    if (output !== undefined && output < Number(price) && !checks.cheapOutput?.test(resource))
      fail(`the output of ${resource} costs less than its input`)
    if (cached !== undefined && cached > Number(price)) fail(`cached input of ${resource} costs more than its input`)
    const [short, hour] = [of('cache_write_tokens'), of('cache_write_tokens', { ...pricingTier, ttl: '1h' })]
    if (short !== undefined && hour !== undefined && hour < short)
      fail(`a cache of ${resource} costs less for an hour than for five minutes`)
    const { service, ...standard } = pricingTier
    const normal = of('input_tokens', standard)
    if (service === 'batch' && normal !== undefined && normal < Number(price))
      fail(`the batch price of ${resource} is above its standard price`)
  }
}
