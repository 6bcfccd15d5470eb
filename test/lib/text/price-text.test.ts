import { describe, expect, it } from 'vitest'
import { DIMENSIONS } from '../../../src/catalog/schema.ts'
import { quantityOf } from '../../../src/collectors/reading/quantities.ts'
import { unitOf } from '../../../src/collectors/reading/units.ts'
import { groupedDigits, readablePrice, readableUnit, shownUnit, typedPrice } from '../../../src/lib/text/price-text.ts'

it.each([
  ['usd_per_token', 6, 'million tokens'],
  ['eur_per_character', 6, 'million characters'],
  ['usd_per_pixel', 6, 'million pixels'],
  ['usd_per_gpu_hour', 0, 'GPU hour'],
  ['usd_per_vcpu_hour', 0, 'vCPU hour'],
  ['usd_per_gib_month', 0, 'GiB month'],
  ['usd_per_gib_per_month', 0, 'GiB per month'],
  ['usd_per_token_per_month', 0, 'token per month'],
  ['usd_per_month_per_token', 0, 'month per token'],
  ['credit_per_usd', 0, 'USD'],
  ['usd_per_image', 0, 'image'],
  ['usd_per_token_hour', 0, 'token hour'],
  ['usd_per_constructor', 0, 'constructor'],
  ['', 0, ''],
])('people read a price in %s moved by %i places, per %s', (unit, places, per) => {
  expect(shownUnit(unit)).toEqual({ places, per })
})

describe('a price as people read it', () => {
  it.each([
    ['0.0012505', 'usd_per_token', '1,250.5'],
    ['1.25', 'usd_per_token', '1,250,000'],
    ['0.000002', 'usd_per_token', '2'],
    ['0.0001', 'usd_per_token', '100'],
    ['0.00000002', 'usd_per_pixel', '0.02'],
    ['1234567.8901', 'usd_per_image', '1,234,567.8901'],
    ['0.04', 'usd_per_image', '0.04'],
    ['3.20', 'usd_per_gpu_hour', '3.2'],
    ['N/A', 'usd_per_image', 'N/A'],
  ])('of %s %s is %s', (price, unit, text) => expect(readablePrice(price, unit)).toBe(text))

  it.each([
    ['usd_per_token', 'USD per million tokens'],
    ['usd_per_pixel', 'USD per million pixels'],
    ['eur_per_gpu_hour', 'EUR per GPU hour'],
    ['usd_per_gib_per_month', 'USD per GiB per month'],
    ['credit_per_token', 'credit per million tokens'],
    ['abcd_per_image', 'abcd per image'],
    ['flake_ai_credit_per_image', 'flake ai credit per image'],
  ])('has the unit %s as %s', (unit, text) => expect(readableUnit(unit)).toBe(text))

  it('has its thousands apart', () => {
    expect(['0', '999', '1000', '1234567'].map(groupedDigits)).toEqual(['0', '999', '1,000', '1,234,567'])
  })
})

describe('a price that a person types', () => {
  it.each([
    ['2.5', 'usd_per_token', '0.0000025'],
    [' 2.50 ', 'usd_per_token', '0.0000025'],
    ['1,250.5', 'usd_per_token', '0.0012505'],
    ['1,000,000', 'usd_per_token', '1'],
    ['1000000', 'usd_per_token', '1'],
    ['999,999', 'usd_per_image', '999999'],
    ['0.02', 'usd_per_pixel', '0.00000002'],
    ['0', 'usd_per_token', '0'],
    ['3.20', 'usd_per_gpu_hour', '3.2'],
    ['1,250', 'usd_per_gpu_hour', '1250'],
  ])('as %s %s is %s of one', (text, unit, price) => expect(typedPrice(text, unit)).toBe(price))

  it('has commas between thousands and nowhere else', () => {
    for (const text of [
      '2,5',
      '0,000',
      '0,25',
      '12,34',
      '1,2345',
      '1234,567',
      '1,25.5',
      '2.5,000',
      ',250',
      '1,',
      '1,,000',
    ])
      expect([text, typedPrice(text, 'usd_per_token')]).toEqual([text, undefined])
  })

  it('is refused when it is not a plain decimal', () => {
    for (const text of ['', '1e-6', '-1', '1.', '.5', 'abc', '0x1', '1.5 USD', 'USD 1.5', '1 000'])
      expect([text, typedPrice(text, 'usd_per_token')]).toEqual([text, undefined])
  })
})

/** What collectors make of their dimensions in each kind of currency, and of the units of clouds. */
const CLOUD_TEXTS = ['1K', '1 Hour', '1/Minute', '1 Second', '1 Day', '1/Month', '1 Year', '1M Tokens', '1K Requests', '100 Images', '1K Pages', '1 GB', '1 GB/Month', 'GB-Mo', 'Lambda-GB-Second', '1K characters'] // biome-ignore format: a list
const everyUnit = [
  ...DIMENSIONS.flatMap((dimension) =>
    ['USD', 'EUR', 'SNOWFLAKE_AI_CREDIT'].map((currency) => unitOf(dimension, currency)),
  ),
  ...CLOUD_TEXTS.map((text) => `usd_per_${quantityOf(text)!.unit}`),
]

describe.each([...new Set(everyUnit)])('the unit %s, which a collector makes', (unit) => {
  it('has a price per million in its words where prices are shown and typed per million, and only there', () => {
    const isByTheMillion = /per million /.test(readableUnit(unit))
    expect(isByTheMillion).toBe(/_per_(token|character|pixel)$/.test(unit))
    expect(readablePrice('0.000002', unit)).toBe(isByTheMillion ? '2' : '0.000002')
    expect(typedPrice('2', unit)).toBe(isByTheMillion ? '0.000002' : '2')
  })

  it('has prices that come back as they were when no one changes what is shown', () => {
    for (const price of ['0', '0.00000000123', '0.0000025', '0.002', '1', '1250.5', '1234567'])
      expect(typedPrice(readablePrice(price, unit), unit)).toBe(price)
  })
})
