import { describe, expect, it } from 'vitest'
import { alignedParts, columnDecimals } from '../../src/web/components/values/decimals.ts'

/** Where the decimal point is, from the right edge of the column, in digits. */
const pointOf = (price: string, decimals: number): number => {
  const { within, free } = alignedParts(price, decimals)
  return (within + free).length - (within + free).indexOf('.')
}

describe('the prices of a column', () => {
  it('have their decimal points in one line, however many decimals each has', () => {
    const prices = ['2.50', '0.075', '1,200.00', '0.0375', '0.09375', '0.234375', '3']
    const decimals = columnDecimals(prices)
    expect(decimals).toBe(4)
    expect(prices.map((price) => pointOf(price, decimals))).toEqual(prices.map(() => 5))
    for (const price of prices) {
      const { within, beyond } = alignedParts(price, decimals)
      expect(within + beyond).toBe(price)
    }
  })

  it('keep no room that none of them needs', () => {
    expect(columnDecimals(['2.50', undefined, '10.00'])).toBe(2)
    expect(columnDecimals(['3', '12'])).toBe(0)
    expect(alignedParts('3', 0)).toEqual({ within: '3', beyond: '', free: '' })
    expect(alignedParts('3', 1)).toEqual({ within: '3', beyond: '', free: '.0' })
  })

  it('are shown whole where one has more decimals than fit', () => {
    expect(alignedParts('0.30000000000000004', 4)).toMatchObject({ within: '0.30000000000000004', isLong: true })
  })
})
