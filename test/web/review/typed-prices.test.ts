import { describe, expect, it } from 'vitest'
import { readEdits } from '../../../src/web/pages/operator/review/prices/typed-prices.ts'

const lines = [
  { contentHash: 'tokens', unit: 'usd_per_token' },
  { contentHash: 'pixels', unit: 'usd_per_pixel' },
  { contentHash: 'images', unit: 'usd_per_image' },
]

describe('prices that an operator types in Review', () => {
  it('are for a million where they are shown for a million, and for one elsewhere', () => {
    expect(readEdits({ tokens: '2.5', pixels: '0.02', images: '0.04' }, lines)).toEqual({
      edits: [
        { contentHash: 'tokens', price: '0.0000025' },
        { contentHash: 'pixels', price: '0.00000002' },
        { contentHash: 'images', price: '0.04' },
      ],
    })
  })

  it('are refused with what to type, and none of them is published', () => {
    expect(readEdits({ tokens: '2.5', images: '2,5' }, lines)).toEqual({
      problem:
        '“2,5” is not a price. Write a price such as 2.5 or 1,250.5: a point before the decimals, and commas only between thousands.',
    })
  })

  it('are refused when none changed, or the price is not part of the item any more', () => {
    expect(readEdits({}, lines)).toEqual({ problem: 'Change a price first.' })
    expect(readEdits({ gone: '2.5' }, lines)).toEqual({
      problem: 'The prices of this item changed while you typed. Cancel, and look at them again.',
    })
  })
})
