import { instantOf } from '../../../lib/instant.ts'
import * as accuracy from '../../../prices/accuracy/read-accuracy.ts'
import { listContradicted, readAccuracy } from '../../contracts/operator-accuracy.ts'
import { route } from '../../route.ts'

const LISTED = 200

/** GET /v1/operator/accuracy: what the daily measure of served prices gave. */
export const readAccuracyRoute = route(readAccuracy, ({ tools }) => accuracy.readAccuracy(tools.sql))

/** GET /v1/operator/accuracy/contradicted?provider=: the served prices of a provider that its sources contradict now. */
export const listContradictedRoute = route(listContradicted, async ({ tools, query }) => {
  const prices = await accuracy.listContradictedNow(tools.sql, query.provider, instantOf(Date.now()))
  return { prices: prices.slice(0, LISTED).map(shown), count: prices.length }
})

const shown = ({ contentHash, source, resource, ...price }: accuracy.ContradictedPrice) => ({
  ...{ contentHash, source, resource, dimension: price.dimension, unit: price.unit, currency: price.currency },
  ...{ pricingTier: price.pricingTier, price: price.price, since: price.since, others: price.others },
})
