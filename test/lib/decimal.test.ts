import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareDecimals,
  type Decimal,
  isCanonicalDecimal,
  minus,
  moveDecimal,
  parseDecimal,
  scaleDown,
  times,
  wholeNumbers,
} from '../../src/lib/decimal.ts'

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
    ['+1.5', '1.5'],
    [' 2 ', '2'],
    ['1E-2', '0.01'],
    ['12e-1', '1.2'],
    ['100e-2', '1'],
    ['1.5e+1', '15'],
    ['-0.0', '0'],
    ['-12e2', '-1200'],
    ['00.10', '0.1'],
    ['1e100', `1${'0'.repeat(100)}`],
    ['1e-100', `0.${'0'.repeat(99)}1`],
    ['9'.repeat(100), '9'.repeat(100)],
  ])('writes %j as %s', (input, expected) => {
    expect(parseDecimal(input)).toBe(expected)
  })

  it.each([
    '',
    '.',
    '-',
    'NaN',
    'Infinity',
    '1,5',
    '0x10',
    '1e',
    '1e99999',
    '1_000',
    '--1',
    '1e5.',
    '1e12345',
    '1e101',
    '1e-101',
    '9'.repeat(101),
    '1 2',
    'x1',
    '1x',
    '1e+',
    Number.NaN,
  ])('refuses %j', (input) => {
    expect(parseDecimal(input)).toBeUndefined()
  })

  it('turns a price per million into a price per one, exactly', () => {
    expect(scaleDown('2.5' as Decimal, 6)).toBe('0.0000025')
    expect(scaleDown('12345678' as Decimal, 3)).toBe('12345.678')
    expect(scaleDown('0' as Decimal, 6)).toBe('0')
    expect(scaleDown('-2.5' as Decimal, 1)).toBe('-0.25')
    expect(scaleDown('7' as Decimal, 0)).toBe('7')
    expect(scaleDown(parseDecimal('1e-98')!, 6)).toBeUndefined()
  })

  it('turns a price per one into a price per million, exactly', () => {
    expect(moveDecimal('0.0000025' as Decimal, 6)).toBe('2.5')
    expect(moveDecimal('0.12345678' as Decimal, 6)).toBe('123456.78')
    expect(moveDecimal('3' as Decimal, 6)).toBe('3000000')
    expect(moveDecimal('-0.5' as Decimal, 2)).toBe('-50')
  })

  it('is canonical without sign, exponent, and zeros that say nothing, and with at most 100 digits', () => {
    expect(['0', '7', '10', '0.5', '12.34', '100.001'].map(isCanonicalDecimal)).not.toContain(false)
    const others = ['', '-1', '+1', '01', '1.', '.5', '1.50', '0.0', '1e3', ' 1', '1 ', '1,5', 'x', '1.5x', 'x1.5']
    expect(others.map(isCanonicalDecimal)).not.toContain(true)
    expect(isCanonicalDecimal(`0.${'1'.repeat(99)}`)).toBe(true)
    expect(isCanonicalDecimal(`0.${'1'.repeat(100)}`)).toBe(false)
  })

  it('is compared with another one exactly, whatever decimal places they have', () => {
    const order = (a: string, b: string) => [compareDecimals(a, b), compareDecimals(b, a)]
    expect(order('0.1', '0.10000000000000000001')).toEqual([-1, 1])
    expect(order('10', '9.99')).toEqual([1, -1])
    expect(order('0.5', '0.50')).toEqual([0, 0])
    expect(wholeNumbers('12.5', '0.375')).toEqual([12_500n, 375n])
  })

  it('is canonical once and for all, and loses nothing that BigInt arithmetic keeps', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat(12), (digits, places) => {
        const text = scaleDown(String(digits) as Decimal, places)!
        expect(parseDecimal(text)).toBe(text)
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(whole + fraction.padEnd(places, '0'))).toBe(digits)
      }),
    )
  })
})

describe('the product of two decimals', () => {
  it.each([
    ['1.2', '50', '60'],
    ['0.000004951', '0.5', '0.0000024755'],
    ['-1.5', '0.02', '-0.03'],
    ['0', '7.25', '0'],
    ['100', '0.01', '1'],
  ])('%s times %s is %s exactly', (a, b, product) => {
    expect(times(a as Decimal, b as Decimal)).toBe(product)
    expect(times(b as Decimal, a as Decimal)).toBe(product)
  })
})

describe('the difference of two decimals', () => {
  it.each([
    ['3000', '2999.9', '0.1'],
    ['2999.9', '3000', '-0.1'],
    ['0.3', '0.1', '0.2'],
    ['5', '5', '0'],
    ['0.0000025', '0.00000125', '0.00000125'],
  ])('%s less %s is %s', (more, less, difference) => expect(minus(more, less)).toBe(difference))
})
