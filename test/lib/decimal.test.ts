import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Decimal, parseDecimal, scaleDown } from '../../src/lib/decimal.ts'

describe('a decimal', () => {
  it.each([
    ['3', '3'],
    ['3.0', '3'],
    ['0.30', '0.3'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['-0', '0'],
    ['-0.50', '-0.5'],
    ['3.81469e-08', '0.0000000381469'],
    ['1E3', '1000'],
    ['1.5e2', '150'],
    ['0e9', '0'],
    [1e-7, '0.0000001'],
    [0.1, '0.1'],
  ])('writes %j as %s', (input, expected) => {
    expect(parseDecimal(input)).toBe(expected)
  })

  it.each(['', '.', '-', 'NaN', 'Infinity', '1,5', '0x10', '1e', '1e99999', '1_000', '--1', Number.NaN])(
    'refuses %j',
    (input) => {
      expect(parseDecimal(input)).toBeUndefined()
    },
  )

  it('turns a price per million into a price per one, exactly', () => {
    expect(scaleDown('2.5' as Decimal, 6)).toBe('0.0000025')
    expect(scaleDown('12345678' as Decimal, 3)).toBe('12345.678')
    expect(scaleDown('0' as Decimal, 6)).toBe('0')
  })

  it('is canonical once and for all, and loses nothing that BigInt arithmetic keeps', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(12), (digits, places) => {
        const text = scaleDown(String(digits) as Decimal, places)
        expect(parseDecimal(text)).toBe(text)
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(whole + fraction.padEnd(places, '0'))).toBe(digits)
      }),
    )
  })
})
