import { instantOf } from '../../../lib/instant.ts'
import { type ContradictedPrice, listContradictedNow, readAccuracy } from '../../../prices/accuracy/read-accuracy.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

const LISTED = 200

const shown = ({ contentHash, source, resource, ...price }: ContradictedPrice) => ({
  ...{ contentHash, source, resource, dimension: price.dimension, unit: price.unit, currency: price.currency },
  ...{ pricingTier: price.pricingTier, price: price.price, since: price.since, others: price.others },
})

export const accuracyRoutes: AppRoute[] = [
  /** GET /v1/operator/accuracy: what the daily measure of served prices gave. */
  route(contracts.readAccuracy, ({ tools }) => readAccuracy(tools.sql)),

  /** GET /v1/operator/accuracy/contradicted?provider=: the served prices of a provider that its sources contradict now. */
  route(contracts.listContradicted, async ({ tools, query }) => {
    const prices = await listContradictedNow(tools.sql, query.provider, instantOf(Date.now()))
    return { prices: prices.slice(0, LISTED).map(shown), count: prices.length }
  }),
]
