import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { reasonNames, reasonText } from '../../../src/prices/review/reason-text-rules.ts'
import {
  absenceInWords,
  byChange,
  lineName,
  minuteText,
  pricesInWords,
  type ShownLine,
} from '../../../src/prices/review/review-text-rules.ts'

const shown = (price: string, publishedPrice?: string, more: Partial<ShownLine> = {}): ShownLine => ({
  resource: 'm1',
  dimension: 'input_tokens',
  pricingTier: '{}',
  unit: 'usd_per_token',
  price,
  publishedPrice,
  ...more,
})

describe('what is priced', () => {
  it.each([
    ['cache_read_tokens', '{}', 'cache read tokens'],
    ['output_tokens', '{"service":"batch"}', 'output tokens (batch)'],
    ['output_tokens', '{"context":">200000","service":"batch"}', 'output tokens (context > 200,000, batch)'],
    ['output_tokens', '{"context":"<=128000"}', 'output tokens (context <= 128,000)'],
    ['output_tokens', '{"volume":"1000000"}', 'output tokens (volume 1,000,000)'],
    ['output_tokens', '{"context":">200k"}', 'output tokens (context >200k)'],
    ['output_tokens', '{"context":"over >200000"}', 'output tokens (context over >200000)'],
    ['output_tokens', '{"timeOfDay":"16:30-00:30"}', 'output tokens (time of day 16:30-00:30)'],
    ['gpu_hours', '{"operatingSystem":"linux"}', 'gpu hours (operating system linux)'],
  ])('has the name of %s %s as %s', (dimension, pricingTier, text) =>
    expect(lineName({ dimension, pricingTier })).toBe(text),
  )
})

describe('a missing or unreadable price', () => {
  it.each([
    ['m1 input_tokens {} = "N/A"', 'm1: input tokens, listed as "N/A"'],
    ['a model 5 input_tokens {} = 1\n2', 'a model 5: input tokens, listed as 1\n2'],
    ['input_tokens {"service":"batch","ttl":"1h"}', 'input tokens (batch, ttl 1h)'],
    ['output_video_seconds {} = ', 'output video seconds, listed as '],
    ['m1 input_tokens {"service":"ba\\"tch"}', 'm1 input_tokens {"service":"ba\\"tch"}'],
    ['m1 Input_tokens {}', 'm1 Input_tokens {}'],
    ['m1 input_tokens {} rest', 'm1 input_tokens {} rest'],
  ])('written as %s is shown as %s', (text, words) => expect(absenceInWords(text)).toBe(words))
})

describe('held prices in one line', () => {
  it('are each resource with what is priced, old → new and the change, and their unit once', () => {
    expect(
      pricesInWords([
        shown('0.000005', '0.000004'),
        shown('0.00001', undefined, { dimension: 'output_tokens' }),
        shown('0.000002', '0', { resource: 'm2' }),
      ]),
    ).toBe('m1: input tokens 4 → 5 (+25%), output tokens first price 10; m2: input tokens 0 → 2 USD per million tokens')
    expect(
      pricesInWords([shown('0.000005'), shown('0.1', undefined, { dimension: 'images', unit: 'usd_per_image' })]),
    ).toBe('m1: input tokens first price 5, images first price 0.1 USD per million tokens and USD per image')
  })

  it('begin with the one that changes most, in either direction; first prices are the last, by name', () => {
    const named = (resource: string, price: string, publishedPrice?: string) =>
      shown(price, publishedPrice, { resource })
    const order = (...lines: ShownLine[]) => [...lines].sort(byChange).map(({ resource }) => resource)
    const lines = [
      named('b first', '9'),
      named('a first', '9'),
      named('doubled', '2', '1'),
      named('a tenth', '0.1', '1'),
      named('threefold', '3', '1'),
      named('free now', '0', '1'),
    ]
    const sorted = ['free now', 'a tenth', 'threefold', 'doubled', 'a first', 'b first']
    expect(order(...lines)).toEqual(sorted)
    expect(order(...lines.reverse())).toEqual(sorted)
    expect(order(named('stays free', '0', '0'), named('no longer free', '1', '0'))).toEqual([
      'no longer free',
      'stays free',
    ])
  })

  it('of one resource are in the order of their dimensions and tiers', () => {
    const [input, batch, output] = [
      shown('1'),
      shown('1', undefined, { pricingTier: '{"service":"batch"}' }),
      shown('1', undefined, { dimension: 'output_tokens' }),
    ]
    expect([output, batch, input].sort(byChange)).toEqual([batch, input, output])
    expect([input, batch, output].sort(byChange)).toEqual([batch, input, output])
  })
})

it('shows an instant to the minute', () => {
  expect(minuteText('2026-11-22T10:04:59.999Z' as Instant)).toBe('2026-11-22 10:04 UTC')
})

describe('the reasons of an item', () => {
  it('are named in a list', () => {
    expect(reasonNames(['power_of_ten', 'implausible_price'])).toBe('power of ten, implausible')
    expect(reasonNames([])).toBe('')
  })

  it('of documents are words already, whatever they are', () => {
    expect(reasonText('another language')).toEqual({ name: 'another language', meaning: 'Another language.' })
    expect(reasonText('toString')).toEqual({ name: 'toString', meaning: 'ToString.' })
  })
})
