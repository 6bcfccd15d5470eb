import { percentOf } from '../../lib/text/percent.ts'
import { shownPrice, shownUnit } from '../../lib/text/price-text.ts'
import type { PricePoint, ShownPrices } from './parts.ts'

type Points = { previous?: Pick<PricePoint, 'price'>; current?: Pick<PricePoint, 'price'> }

/** Returns the prices of a change as people read them: `2.50` per million tokens, and by how much it moved. */
export function shownPricesOf(unit: string, { previous, current }: Points): ShownPrices {
  const { places, per } = shownUnit(unit)
  const change = previous && current && percentOf(previous.price, current.price)
  return {
    ...(previous && { previous: shownPrice(previous.price, places) }),
    ...(current && { current: shownPrice(current.price, places) }),
    per,
    ...(change !== undefined && { change }),
  }
}
