import { describe, expect, it } from 'vitest'
import { requestSizeOf, takeConditions, whenOf } from '../../../src/collectors/reading/pages/conditions.ts'
import { peakHours } from '../../../src/collectors/reading/pages/hours.ts'
import { pricesOf } from '../../../src/collectors/reading/pages/price-cell.ts'
import { parseInstant } from '../../../src/lib/instant.ts'

/** A price as one line: amount, what it is for, what kind of content, conditions. */
const shown = (text: string) =>
  pricesOf(text)?.map(({ amount, per, modalities, conditions }) =>
    [
      amount,
      ...(per ? [`${per.unit}^${per.decimalShift}`] : []),
      ...modalities,
      ...Object.entries(conditions).map(([key, value]) => `${key}=${value}`),
    ].join(' '),
  )

describe('a cell of prices', () => {
  it.each<[string, string[]]>([
    ['$6.25 / MTok', ['6.25 token^6']],
    ['$0.25 / MTok1', ['0.25 token^6']],
    ['$1,250.00', ['1250.00']],
    ['$.5 per 1M tokens', ['.5 token^6']],
    ['$1.25, prompts <= 200k tokens $2.50, prompts > 200k', ['1.25 upTo=200000', '2.50 above=200000']],
    ['$0.30 (text / image / video) $1.00 (audio)', ['0.30 text image video', '1.00 audio']],
    ['$3 (text and thinking) $60.00 (images)', ['3 text', '60.00 image']],
    ['$0.15 $1.00 / 1,000,000 tokens per hour (storage price)', ['0.15', '1.00 token_hour^6']],
    [
      '$0.75 through December 31, 2026. $1.50 starting January 1, 2027.',
      ['0.75 until=2026-12-31', '1.50 from=2027-01-01'],
    ],
    ['$0.50 (text) through December 31, 2026.', ['0.50 text until=2026-12-31']],
    ['$3.50 or $0.0053/min* (audio)', ['3.50 audio']],
    [
      '$0.75 (text) $3.00 or $0.005/min (audio) $1.00 or $0.002/min (image/video)',
      ['0.75 text', '3.00 audio', '1.00 image video'],
    ],
    ['$0.45 ($0.00012 per image)', ['0.45']],
    ['$2.00 (text/image), equivalent to $0.0011 per image*', ['2.00 text image']],
    [
      '$12.00 (text and thinking) $120.00 (images) Equivalent to $0.134 per 1K/2K image** and $0.24 per 4K image**',
      ['12.00 text', '120.00 image'],
    ],
    ['$0.039 per image*', ['0.039 image^0']],
    ['Original price: $1.36 Sale price: $0.68'.slice(22), ['0.68']],
    ['$4 /1000 Pages', ['4 page^3']],
    ['$0.003 /Min', ['0.003 minute^0']],
    ['$16 /M Chars', ['16 character^6']],
    ['$15.00 / 1M characters', ['15.00 character^6']],
    ['$2 per 1K tokens', ['2 token^3']],
    ['Free of charge', ['0']],
    ['Limited-time Free', ['0']],
    ['Not available**', []],
    ['-', []],
    ['—', []],
    ['', []],
  ])('%s', (text, prices) => expect(shown(text)).toEqual(prices))

  it.each([
    ['another currency', '€5'],
    ['a comma for a point', '$1,5'],
    ['a range', '$1-$2'],
    ['a word no one declared', '$5 plus tax'],
    ['a unit no one declared', '$5 / fortnight'],
    ['an unknown kind of content', '$5 (smell)'],
    ['a day that does not exist', '$5 through February 30, 2026'],
    ['a price in words', 'Contact sales'],
    ['a number without a currency', '5'],
    ['two points', '$1.2.3'],
    ['a minus', '$-5'],
  ])('%s is not guessed', (_, text) => expect(pricesOf(text)).toBeUndefined())
})

describe('the terms of a price', () => {
  it.each([
    ['(for prompts up to 100,000 tokens)', { upTo: 100_000 }],
    ['(for prompts over 100,000 tokens)', { above: 100_000 }],
    ['(< 200k prompt tokens)', { upTo: 200_000 }],
    ['(≥ 200k prompt tokens)', { above: 199_999 }],
    ['(<272K context length)', { upTo: 272_000 }],
    ['≤ 512k input tokens', { upTo: 512_000 }],
    ['> 1M tokens', { above: 1_000_000 }],
    ['through Aug 31, 2026', { until: '2026-08-31' }],
    ['starting September 1, 2026', { from: '2026-09-01' }],
  ])('%s', (text, conditions) => {
    const taken = takeConditions(text)!
    expect([taken.conditions, taken.rest.replace(/[\s()]/g, '')]).toEqual([conditions, ''])
  })

  it('hold to the end of the last day, and from the beginning of the first', () => {
    const when = (conditions: object, at: string) => whenOf(conditions, parseInstant(at)!)
    expect(when({ until: '2026-12-31' }, '2026-12-31T23:59:59Z')).toBe('now')
    expect(when({ until: '2026-12-31' }, '2027-01-01T00:00:00Z')).toBe('past')
    expect(when({ from: '2027-01-01' }, '2026-12-31T23:59:59Z')).toBe('later')
    expect(when({ from: '2027-01-01' }, '2027-01-01T00:00:00Z')).toBe('now')
  })
})

describe('peak hours', () => {
  const hours = 'Peak hours are 01:00 - 04:00 and 06:00 - 10:00 UTC'
  it.each([
    [`${hours} (all other hours are off-peak).`, '01:00Z-04:00Z,06:00Z-10:00Z'],
    [`${hours}, Monday through Friday.`, 'Mo-Fr 01:00Z-04:00Z,06:00Z-10:00Z'],
    [
      `${hours}, Monday through Friday, excluding Chinese public holidays. All other`,
      'Mo-Fr,!PH:CN 01:00Z-04:00Z,06:00Z-10:00Z',
    ],
    [`${hours}, on the third day of each month.`, undefined],
    ['Peak hours are described elsewhere.', undefined],
  ])('%s', (text, expected) => expect(peakHours(text)).toBe(expected))
})

describe('the requests that a row is for', () => {
  it.each<[string, object | undefined]>([
    ['0<Token≤32K', { upTo: 32_000 }],
    ['0 < Tokens ≤ 252K', { upTo: 252_000 }],
    ['32K<Token≤128K', { above: 32_000 }],
    ['32K ≤ Token < 128K', { above: 31_999 }],
    ['256K < Tokens ≤ 1M', { above: 256_000 }],
    ['Token>1M', { above: 1_000_000 }],
    ['Tokens ≥ 1M', { above: 999_999 }],
    ['Token≤1,000', { upTo: 1_000 }],
    ['Input tokens ≤ 32K', { upTo: 32_000 }],
    ['No tiered pricing', {}],
    ['-', {}],
    ['', {}],
    ['32K', undefined],
    ['Token', undefined],
    ['0<Token≤32G', undefined],
    ['1.2.3K<Token', undefined],
    ['long requests', undefined],
  ])('%s', (text, size) => expect(requestSizeOf(text)).toEqual(size))
})
