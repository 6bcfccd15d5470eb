import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '../../src/lib/decimal.ts'
import { isSamePrice } from '../../src/prices/same-price-rules.ts'

describe('one price that is written differently', () => {
  it.each([
    ['0.3', '0.30000000000000004', true],
    ['1.8', '1.7999999999999998', true],
    ['0.00166667', '0.0016666666666666668', true],
    ['0.000663889', '0.00066388888889', true],
    ['0.333333', '0.33333333', true],
    ['0.08333333333333334', '0.0833333', true],
    ['19.99', '20', false],
    ['0.00000138', '0.000001375', false],
    ['0.0031', '0.003125', false],
    ['0.33333', '0.333333', false],
    ['0.333333', '0.333334', false],
    ['0.333333', '0.3333336', false],
    ['1000000', '1000000.4', false],
    ['0', '0.0000000000000000001', false],
    ['0.3', '0.3000001', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isSamePrice(one, other)).toBe(same)
    expect(isSamePrice(other, one)).toBe(same)
  })

  it('is never another price by more than one in two hundred thousand', () => {
    const price = fc.double({ min: 1e-12, max: 1e6, noNaN: true }).map((value) => parseDecimal(value)!)
    fc.assert(
      fc.property(price, fc.double({ min: 0.9, max: 1.1, noNaN: true }), fc.integer({ min: 1, max: 9 }), (a, by, n) => {
        const b = parseDecimal((Number(a) * by).toPrecision(n))!
        if (isSamePrice(a, b)) expect(Math.abs(Number(a) / Number(b) - 1)).toBeLessThanOrEqual(5e-6)
      }),
    )
  })
})
