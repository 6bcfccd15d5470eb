import type { RankedCost } from '../../../../../clients/typescript/src/cost/index.ts'
import { groupBy, joinKey } from '../../../../lib/collections.ts'
import type { Offer } from '../resource/offers.ts'
import { shownAmount, singleTotal } from './costs.ts'

type Here = { provider: string; resource: string }

/**
 * Returns what each seller offers at the price of a workload, the cheapest first and each seller once: under the name that
 * the page is about, or else under the cheapest.
 */
export function rankOffers(offers: Offer[], costs: RankedCost[], here: Here): Offer[] {
  const byName = new Map(costs.map((cost) => [joinKey(cost.provider, cost.resource), cost]))
  const priced = offers.map((offer) => ({ ...offer, ...costOf(byName.get(joinKey(offer.provider, offer.resource))) }))
  priced.sort((a, b) => placeOf(a) - placeOf(b))
  const sellers = groupBy(priced, ({ provider }) => provider)
  const kept = [...sellers.values()].map((own) => {
    const offer = own.find(({ provider, resource }) => provider === here.provider && resource === here.resource)
    return { ...(offer ?? own[0]!), moreNames: own.length - 1 }
  })
  return kept.sort((a, b) => placeOf(a) - placeOf(b))
}

const placeOf = ({ cost }: Offer): number => cost?.place ?? Number.POSITIVE_INFINITY

function costOf(cost: RankedCost | undefined): Pick<Offer, 'cost'> {
  const single = cost && singleTotal(cost.total)
  if (!single || cost.place === undefined) return {}
  return { cost: { shown: shownAmount(single.amount), currency: single.currency, place: cost.place } }
}

/** The one offer that costs least; absent where several do, or where nothing else is compared. */
export function cheapestOf(offers: Offer[]): Offer | undefined {
  const compared = offers.filter(({ cost }) => cost)
  const [first, second] = compared
  return first && second && first.cost!.place < second.cost!.place ? first : undefined
}
