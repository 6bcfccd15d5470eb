import type { Sql } from '../../lib/sql.ts'
import { type KnownPrice, pricesOfResources } from '../store/neighbour-store.ts'
import { openReview } from '../store/review-store.ts'
import { isEndedBy } from './decision-rules.ts'

/** `ends`: an approval of the item removes the price. Absent for a renaming, which removes none. */
export type AbsentPrice = Omit<KnownPrice, 'isMissing'> & { ends?: boolean }

/** Resources of an item whose prices are shown: an item about many is alike throughout. */
const MOST_RESOURCES = 10
const MOST_PRICES = 40

/**
 * Returns the prices of the resources that an item about absences names, the published ones where there are any: what a
 * removal removes, and the two names of a renaming beside each other. Other items have none.
 */
export async function listAbsentPrices(sql: Sql, reviewId: string): Promise<AbsentPrice[]> {
  const review = await openReview(sql, reviewId)
  if (!review) return []
  const { source, provider, detail } = review
  const resources = [...(detail.resources ?? []).slice(0, MOST_RESOURCES), ...(detail.to ? [detail.to] : [])]
  if (resources.length === 0) return []
  const prices = await pricesOfResources(sql, { source, provider, resources }, MOST_PRICES)
  return prices.map(({ isMissing, ...price }) =>
    review.kind === 'rename' ? price : { ...price, ends: !price.waits && isEndedBy(review, { ...price, isMissing }) },
  )
}
