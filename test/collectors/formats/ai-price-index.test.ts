import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { ignored, lines, parseAs } from '../support.ts'

const parse = parseAs('ai-price-index')
const page = 'https://docs.claude.com/en/docs/about-claude/pricing'
const interval = (price: number, from: string, to: string | null = null, more: object = {}) => ({
  confidence: 'verified', from, last_validated: '2026-07-31', price_usd: price, src: page, to, unit: 'usd_per_mtok', ...more,
}) // biome-ignore format: one interval

/**
 * Two models as the index publishes them (history/anthropic.json of 2026-10-08; AI Price Index by RoninForge, CC BY 4.0,
 * https://roninforge.org/data/ai-price-index/).
 */
const haiku = {
  aliases: ['claude-haiku-4-5'],
  model: 'claude-haiku-4-5-20251001',
  provider: 'anthropic',
  variations: {
    cache_read: [interval(0.1, '2026-07-31')],
    cache_write_1h: [interval(2, '2026-07-31')],
    cache_write_5m: [interval(1.25, '2026-07-31')],
    input: [
      interval(1, '2025-10-15', null, {
        last_validated: '2026-06-16', src: 'https://www.anthropic.com/news/claude-haiku-4-5',
      }),
    ],
    output: [interval(5, '2025-10-15')],
  },
} // biome-ignore format: as published
const oldHaiku = {
  model: 'claude-3-5-haiku-20241022',
  provider: 'anthropic',
  variations: {
    input: [
      {
        confidence: 'archived', from: '2024-11-04', last_validated: '2024-11-05', price_usd: 1, snapshot: '20241105102333',
        src: 'https://web.archive.org/web/20241105102333/https://www.anthropic.com/news/3-5-models-and-computer-use',
        to: '2024-12-03', unit: 'usd_per_mtok',
      },
      {
        confidence: 'archived', from: '2024-12-03', last_validated: '2024-12-03', price_usd: 0.8, snapshot: '20241203010242',
        src: 'https://web.archive.org/web/20241203010242/https://www.anthropic.com/pricing', to: '2026-02-19',
        unit: 'usd_per_mtok',
      },
    ],
  },
} // biome-ignore format: as published

describe('the AI Price Index', () => {
  it('gives the interval in force with its page, its confidence and the days it holds from and was checked', () => {
    const read = parse({ models: [haiku, oldHaiku] })
    expect(lines(read)).toEqual([
      'claude-haiku-4-5-20251001 cache_read_tokens usd_per_token {} 0.0000001',
      'claude-haiku-4-5-20251001 cache_write_tokens usd_per_token {"ttl":"1h"} 0.000002',
      'claude-haiku-4-5-20251001 cache_write_tokens usd_per_token {} 0.00000125',
      'claude-haiku-4-5-20251001 input_tokens usd_per_token {} 0.000001',
      'claude-haiku-4-5-20251001 output_tokens usd_per_token {} 0.000005',
    ])
    expect(read.observations[3]).toMatchObject({
      provider: 'anthropic',
      canonicalResource: 'anthropic/claude-haiku-4-5',
      effectiveFrom: '2025-10-15',
      proof: {
        url: 'https://www.anthropic.com/news/claude-haiku-4-5',
        confidence: 'verified',
        validatedOn: '2026-06-16',
      },
      locator: '/models/0/variations/input/0',
    })
    expect(ignored(read)).toEqual({ 'a price that has ended': 2 })
  })

  it('gives what was in force on an earlier day: an interval ends before its last day begins', () => {
    const priceAt = (at: string) => parse(oldHaiku, { at }).observations.map(({ price }) => price)
    expect(priceAt('2024-12-02T23:59:59Z')).toEqual(['0.000001'])
    expect(priceAt('2024-12-03T00:00:00Z')).toEqual(['0.0000008'])
    expect(() => priceAt('2026-02-19T00:00:00Z')).toThrow('The answer lists no prices at all.')
  })

  it('says when an announced price begins', () => {
    const announced = {
      ...haiku,
      variations: { input: [interval(1, '2025-10-15', '2026-12-01'), interval(2, '2026-12-01')] },
    }
    const read = parse(announced)
    expect(lines(read)).toEqual(['claude-haiku-4-5-20251001 input_tokens usd_per_token {} 0.000001'])
    expect(read.nextChangeAt).toBe('2026-12-01T00:00:00.000Z')
    expect(lines(parse(announced, { at: '2026-12-01T00:00:00Z' }))).toEqual([
      'claude-haiku-4-5-20251001 input_tokens usd_per_token {} 0.000002',
    ])
  })

  it('names a model without its day as others do, unless two models of the maker would share the name', () => {
    const dated = (model: string) => ({
      provider: 'anthropic',
      model,
      variations: { input: [interval(3, '2024-06-20')] },
    })
    const names = (...models: string[]) =>
      parse({ models: models.map(dated) }).observations.map(({ canonicalResource }) => canonicalResource)
    expect(names('claude-sonnet-4-20250514')).toEqual(['anthropic/claude-sonnet-4'])
    expect(names('claude-3-5-sonnet-20240620', 'claude-3-5-sonnet-20241022')).toEqual([
      'anthropic/claude-3-5-sonnet-20240620',
      'anthropic/claude-3-5-sonnet-20241022',
    ])
    expect(names('claude-opus-4', 'claude-opus-4-20250514')[1]).toBe('anthropic/claude-opus-4-20250514')
  })

  it('reads the current list, which has no dates', () => {
    const read = parse({
      schemaVersion: '1.0.0',
      prices: [
        {
          provider: 'xai', model: 'grok-4.3', variation: 'input', price_usd: 1.25, unit: 'usd_per_mtok',
          last_validated: '2026-07-27', confidence: 'verified', src: 'https://docs.x.ai/developers/models/grok-4.3',
        },
        { provider: 'amazon', model: 'nova-lite', variation: 'input', price_usd: 0.06, unit: 'usd_per_mtok', src: 'https://a' },
      ],
    }) // biome-ignore format: one price after another
    expect(read.observations).toMatchObject([
      {
        provider: 'x-ai',
        canonicalResource: 'x-ai/grok-4.3',
        price: '0.00000125',
        proof: { validatedOn: '2026-07-27' },
      },
      { provider: 'aws', resource: 'nova-lite', price: '0.00000006', proof: { url: 'https://a' } },
    ])
    expect(read.observations[0]).not.toHaveProperty('effectiveFrom')
  })

  it('leaves out estimates, unknown units and variations, and tiers whose beginning is not given', () => {
    const variations = {
      input: [interval(1, '2025-01-01', null, { confidence: 'estimated' })],
      output: [interval(1, '2025-01-01', null, { unit: 'usd_per_moon' })],
      tier2_input: [interval(2, '2025-01-01')],
      telepathy: [interval(2, '2025-01-01')],
      cache_read: [interval(0.1, '2025-01-01'), 'soon'],
    }
    expect(ignored(parse({ ...haiku, variations }))).toEqual({
      'an estimate of the index': 1,
      'an unknown unit: usd_per_moon': 1,
      'a second tier, whose beginning the index does not give': 1,
      'an unknown kind of price: telepathy': 1,
      'an interval that is not an object': 1,
    })
  })

  it.each([
    [{}],
    [{ models: [] }],
    [{ models: [{ provider: 'anthropic', model: 'm' }] }],
    [{ prices: [{ provider: 'anthropic', price_usd: 1 }] }],
    ['<html>'],
  ])('refuses %j', (data) => expect(() => parse(data)).toThrow(SnapshotError))
})
