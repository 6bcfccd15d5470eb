import { describe, expect, it } from 'vitest'
import { shownPricesOf } from '../../src/events/payloads/shown-rules.ts'

const [before, after] = [{ price: '0.0000025' }, { price: '0.000002' }]

describe('the prices of a change as people read them', () => {
  it('are per million of what is cheap one by one, with two decimals at least, and say by how much it moved', () => {
    expect(shownPricesOf('usd_per_token', { previous: before, current: after })).toEqual({
      previous: '2.50',
      current: '2.00',
      per: 'million tokens',
      change: '−20%',
    })
    expect(shownPricesOf('usd_per_gpu_hour', { previous: { price: '1200' }, current: { price: '1500.125' } })).toEqual({
      previous: '1,200.00',
      current: '1,500.125',
      per: 'GPU hour',
      change: '+25%',
    })
  })

  it('leave out a price that is not there, and a change without a proportion', () => {
    expect(shownPricesOf('usd_per_image', { current: { price: '0.04' } })).toEqual({ current: '0.04', per: 'image' })
    expect(shownPricesOf('usd_per_image', { previous: { price: '0.04' } })).toEqual({ previous: '0.04', per: 'image' })
    expect(shownPricesOf('usd_per_image', { previous: { price: '0' }, current: { price: '1' } })).toEqual({
      previous: '0.00',
      current: '1.00',
      per: 'image',
    })
  })
})
