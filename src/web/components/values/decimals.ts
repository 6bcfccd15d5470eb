/** Decimals that a column keeps room for. The rare price with more of them reaches a little beyond the column. */
const MOST_DECIMALS = 4
const MOST_BEYOND = 2

const decimalsOf = (price: string): number => (price.split('.')[1] ?? '').length

/**
 * Returns for how many decimals the prices of a column need room, so that their decimal points are in one line. Prices
 * are taken until the most room is needed, which in long columns is soon.
 */
export function columnDecimals(prices: Iterable<string | undefined>): number {
  let most = 0
  for (const price of prices) {
    if (price) most = Math.max(most, decimalsOf(price))
    if (most >= MOST_DECIMALS) return MOST_DECIMALS
  }
  return most
}

/**
 * Returns a price in the parts that put its decimal point where the column has it: what is drawn within the column, the
 * decimals beyond it, and the room that it leaves free. One with many more decimals is `long`: it is not aligned.
 */
export function alignedParts(price: string, decimals: number): AlignedParts {
  const own = decimalsOf(price)
  const over = own - decimals
  if (over > MOST_BEYOND) return { within: price, beyond: '', free: '', isLong: true }
  if (over > 0) return { within: price.slice(0, -over), beyond: price.slice(-over), free: '' }
  const point = own === 0 && decimals > 0 ? '.' : ''
  return { within: price, beyond: '', free: point + '0'.repeat(-over) }
}
type AlignedParts = { within: string; beyond: string; free: string; isLong?: boolean }
