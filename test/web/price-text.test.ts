import { describe, expect, it } from 'vitest'
import { shownPrice, typedPrice, unitText } from '../../src/web/pages/operator/price-text.ts'

describe('a price that a person reads and types', () => {
  it('is shown by the million where it is for tokens, and comes back exactly', () => {
    for (const [price, shown] of [
      ['0.0000025', '2.5'],
      ['0.00000000123', '0.00123'],
      ['0', '0'],
      ['1', '1,000,000'],
      ['0.002', '2,000'],
    ] as const) {
      expect(shownPrice(price, 'usd_per_token')).toBe(shown)
      expect(typedPrice(shown, 'usd_per_token')).toBe(price)
    }
    expect(shownPrice('3.20', 'usd_per_gpu_hour')).toBe('3.2')
    expect(typedPrice('3.20', 'usd_per_gpu_hour')).toBe('3.2')
    expect(typedPrice('1,250.5', 'usd_per_token')).toBe('0.0012505')
  })

  it('is refused when it is no plain decimal', () => {
    for (const text of ['', '1e-6', '-1', '1.', 'abc', '0x1']) expect(typedPrice(text, 'usd_per_token')).toBeUndefined()
  })

  it('has its unit in words', () => {
    expect(unitText('usd_per_token')).toBe('USD per million tokens')
    expect(unitText('eur_per_gpu_hour')).toBe('EUR per gpu hour')
  })
})
