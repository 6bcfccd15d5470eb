import { shownDimension } from '../money.ts'
import type { Offer, OfferColumn, Offers } from './offers.ts'

/** The heading of a column. */
export const columnLabel = ({ dimension, isMachine, isSpot }: OfferColumn, columns: OfferColumn[]): string => {
  if (!isMachine) return shownDimension(dimension)
  const market = isSpot ? 'Spot' : 'On demand'
  const isAlone = columns.every((column) => column.dimension === dimension)
  return isAlone ? market : `${shownDimension(dimension)}, ${market.toLowerCase()}`
}

/** Whether one of those that are compared asks less than another. */
export const hasCheapest = ([first, ...others]: Pick<Offer, 'total'>[]): boolean =>
  others.some(({ total }) => total !== undefined && total !== first?.total)

/** The one that asks less than all others that are compared; absent where several ask the same. */
export const cheapestOffer = ([first, second]: Offer[]): Offer | undefined =>
  second?.total !== undefined && second.total !== first!.total ? first : undefined

/** Says what offers are ordered by, and that some are not compared. */
export function orderText({ offers, columns, comparedBy }: Offers): string {
  const [first] = comparedBy
  if (!first) return offers.length > 1 ? 'Not ranked: no comparable prices.' : ''
  const names = comparedBy.map((column) =>
    column.isMachine
      ? column.isSpot
        ? 'the spot price'
        : 'the price on demand'
      : columnLabel(column, columns).toLowerCase(),
  )
  const left = offers.filter(({ total }) => total === undefined).length
  const others =
    left === 0 ? '' : ` The last ${left === 1 ? 'one has' : `${left} have`} no such price in ${first.currency}.`
  const together = `${names.join(' and ')}${names.length > 1 ? ' together' : ''}`
  return `${hasCheapest(offers) ? 'Cheapest first, by' : 'No difference in'} ${together}.${others}`
}
