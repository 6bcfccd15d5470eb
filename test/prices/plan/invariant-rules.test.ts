import { describe, expect, it } from 'vitest'
import { type LinePrice, nearestInput } from '../../../src/prices/plan/evidence/beside-rules.ts'
import { brokenInvariants, brokenRelations } from '../../../src/prices/plan/holds/invariant-rules.ts'

const priced = (dimension: string, price: number, pricingTier = '{}', more: Partial<LinePrice> = {}): LinePrice => ({
  dimension,
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier,
  price,
  ...more,
})
const input = (price: number, tier?: string, more?: Partial<LinePrice>) => priced('input_tokens', price, tier, more)
const output = (price: number, tier?: string) => priced('output_tokens', price, tier)
const cacheRead = (price: number) => priced('cache_read_tokens', price)
const cacheWrite = (price: number, tier?: string) => priced('cache_write_tokens', price, tier)
const BATCH = '{"service":"batch"}'
const LONG = '{"context":">200000"}'
const broken = (...lines: LinePrice[]) => brokenInvariants(lines).map(({ reason }) => reason)

describe('the prices of one resource', () => {
  it('contradict each other where reading a cache costs more than input', () => {
    expect([broken(input(1), cacheRead(1)), broken(input(1), cacheRead(1.01))]).toEqual([
      [],
      ['cache_read_above_input'],
    ])
  })

  it('contradict each other where writing a cache costs more than twice the input', () => {
    expect([broken(input(1), cacheWrite(2)), broken(input(1), cacheWrite(2.01))]).toEqual([
      [],
      ['cache_write_far_above_input'],
    ])
  })

  it('contradict each other where output costs less than input, the more below a half', () => {
    expect([broken(input(2), output(2)), broken(input(2), output(1.9)), broken(input(2), output(1))]).toEqual([
      [],
      ['output_slightly_below_input'],
      ['output_slightly_below_input'],
    ])
    expect(broken(input(2), output(0.9))).toEqual(['output_below_input'])
  })

  it('are not compared with a free input, nor with the input of another tier', () => {
    expect(broken(input(0), cacheRead(1), cacheWrite(1))).toEqual([])
    expect(broken(input(2), output(1, BATCH))).toEqual([])
    // How long a cache lives is not a condition of the input, and none of the output.
    expect(broken(input(2), output(1, '{"ttl":"1h"}'))).toEqual([])
    expect(broken(input(2), cacheWrite(5, '{"ttl":"1h"}'))).toEqual(['cache_write_far_above_input'])
  })

  it('contradict each other where a batch or flex costs more than the same request alone', () => {
    expect(broken(input(2), input(2, BATCH))).toEqual([])
    expect(broken(input(2), input(2.1, BATCH))).toEqual(['batch_above_standard'])
    expect(broken(input(2), input(2.1, '{"service":"flex"}'))).toEqual(['batch_above_standard'])
    expect(broken(input(2), input(4, '{"service":"priority"}'))).toEqual([])
    expect(broken(input(0), input(1, BATCH))).toEqual([])
  })

  it('contradict each other where a long context costs less than a short one', () => {
    expect([broken(input(2), input(2, LONG)), broken(input(2), input(1.9, LONG))]).toEqual([[], ['tier_below_base']])
    expect(broken(input(2), input(1, '{"region":"eu"}'))).toEqual([])
    const both = '{"context":">200000","service":"batch"}'
    expect(broken(input(2, BATCH), input(1, both), input(0.5, LONG))).toEqual([
      'batch_above_standard',
      'tier_below_base',
    ])
  })

  it('name the line that breaks the relation', () => {
    const lines = [input(1), cacheRead(2), output(4)]
    expect(brokenInvariants(lines)).toEqual([{ line: lines[1], reason: 'cache_read_above_input' }])
  })
})

describe('the input price beside a price', () => {
  it('is that of the same tier, unit and currency', () => {
    const others = [
      output(1),
      input(2, '{}', { unit: 'usd_per_character' }),
      input(3, '{}', { currency: 'EUR' }),
      input(4, BATCH),
    ]
    expect(nearestInput(cacheRead(1), others)).toBeUndefined()
    expect(nearestInput(cacheRead(1), [...others, input(5)])?.price).toBe(5)
  })

  it('is that of the tier without the time to live, where there is none for it', () => {
    const lines = [input(1), input(2, '{"context":">200000"}')]
    expect(nearestInput(cacheWrite(1, '{"context":">200000","ttl":"1h"}'), lines)?.price).toBe(2)
    expect(nearestInput(cacheWrite(1, '{"ttl":"1h"}'), lines)?.price).toBe(1)
    const own = [...lines, input(3, '{"ttl":"1h"}')]
    expect(nearestInput(cacheWrite(1, '{"ttl":"1h"}'), own)?.price).toBe(3)
    expect(nearestInput(cacheWrite(1, BATCH), lines)).toBeUndefined()
  })
})

describe('a relation that a snapshot breaks', () => {
  const CACHE_READ = 'cache_read_tokens\u001fusd_per_token\u001fUSD\u001f{}'
  it('is one that was intact before, with the line that breaks it', () => {
    const [before, after] = [
      [input(2), cacheRead(1)],
      [input(2), cacheRead(3)],
    ]
    expect(brokenRelations({ before, after, left: [] })).toEqual([
      { key: CACHE_READ, reason: 'cache_read_above_input' },
    ])
    expect(brokenRelations({ before: after, after, left: [] })).toEqual([])
    expect(brokenRelations({ before: [], after: before, left: [] })).toEqual([])
  })

  it('is another one where the same line breaks another', () => {
    const before = [input(2), output(1.5)]
    const after = [input(2), output(0.5)]
    expect(brokenRelations({ before, after, left: [] }).map(({ reason }) => reason)).toEqual(['output_below_input'])
  })

  it('is a contradiction to a price that the source no longer lists and that is still served', () => {
    const [before, after, left] = [[input(2), cacheRead(1.5)], [input(1)], [cacheRead(1.5)]]
    expect(brokenRelations({ before, after, left })).toEqual([{ key: CACHE_READ, reason: 'contradicts_missing_line' }])
    expect(brokenRelations({ before: [input(1), cacheRead(1.5)], after, left })).toEqual([])
    expect(brokenRelations({ before, after: [input(1.6)], left })).toEqual([])
  })

  it('is named once where the listed prices break it among themselves', () => {
    const after = [input(2), cacheRead(3)]
    const left = [output(3)]
    expect(brokenRelations({ before: [input(2), cacheRead(1), output(3)], after, left })).toEqual([
      { key: CACHE_READ, reason: 'cache_read_above_input' },
    ])
  })
})
