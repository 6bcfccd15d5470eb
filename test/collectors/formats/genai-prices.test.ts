import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { collectorFor, SnapshotError } from '../../../src/collectors/index.ts'
import { parseInstant } from '../../../src/lib/instant.ts'

const collector = collectorFor('genai-prices')!
const source = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices' })
const at = parseInstant('2026-08-01T00:00:00Z')!

const parse = (data: unknown, when = at) =>
  collector.parse(new TextEncoder().encode(typeof data === 'string' ? data : JSON.stringify(data)), {
    source,
    at: when,
  })
const model = (id: string, prices: unknown) => ({ id, match: { equals: id }, prices })
const listing = (...models: unknown[]) => [{ id: 'acme', name: 'Acme AI', pricing_urls: [], models }]
const lines = (data: unknown, when = at) =>
  parse(data, when).observations.map((o) => [o.dimension, o.unit, JSON.stringify(o.pricingTier), o.price])

describe('a genai-prices snapshot', () => {
  it('gives exact prices per one token, search, page and hour', () => {
    const prices = {
      input_mtok: 0.15,
      output_mtok: 3,
      cache_read_mtok: 1e-7,
      cache_write_1h_mtok: 6,
      input_audio_mtok: 0.7,
      cache_audio_read_mtok: 0.3,
      output_reasoning_mtok: 8,
      web_searches_kcount: 10,
      requests_kcount: 5,
      input_document_kpages: 1,
      input_audio_hours: 0.111,
    }
    expect(lines(listing(model('m', prices)))).toEqual([
      ['input_tokens', 'usd_per_token', '{}', '0.00000015'],
      ['output_tokens', 'usd_per_token', '{}', '0.000003'],
      ['cache_read_tokens', 'usd_per_token', '{}', '0.0000000000001'],
      ['cache_write_tokens', 'usd_per_token', '{"ttl":"1h"}', '0.000006'],
      ['input_audio_tokens', 'usd_per_token', '{}', '0.0000007'],
      ['cache_read_audio_tokens', 'usd_per_token', '{}', '0.0000003'],
      ['reasoning_tokens', 'usd_per_token', '{}', '0.000008'],
      ['web_searches', 'usd_per_search', '{}', '0.01'],
      ['requests', 'usd_per_request', '{}', '0.005'],
      ['pages', 'usd_per_page', '{}', '0.001'],
      ['input_audio_hours', 'usd_per_audio_hour', '{}', '0.111'],
    ])
  })

  it('reads hours of audio once where the list names them by both of its keys', () => {
    const hours = (prices: object) =>
      lines(listing(model('m', prices))).map(([dimension, , , price]) => [dimension, price])
    expect(hours({ audio_hours: 0.111, input_audio_hours: 0.111 })).toEqual([['input_audio_hours', '0.111']])
    expect(hours({ audio_hours: 0.111 })).toEqual([['audio_hours', '0.111']])
    expect(hours({ audio_hours: 0.2, input_audio_hours: 0.111 })).toHaveLength(2)
  })

  it('reads a price with steps as a context tier each, beside its base', () => {
    const prices = { input_mtok: { base: 1.25, tiers: [{ start: 200000, price: 2.5 }] } }
    expect(lines(listing(model('m', prices)))).toEqual([
      ['input_tokens', 'usd_per_token', '{}', '0.00000125'],
      ['input_tokens', 'usd_per_token', '{"context":">200000"}', '0.0000025'],
    ])
  })

  const dated = listing(
    model('m', [
      { prices: { input_mtok: 10 } },
      { constraint: { start_date: '2026-06-10' }, prices: { input_mtok: 2 } },
      { constraint: { type: 'start_date', start_date: '2027-01-01' }, prices: { input_mtok: 3 } },
    ]),
  )

  it('takes the price in force at its instant, with the day it took effect, and says when the next one starts', () => {
    const read = parse(dated)
    expect(read.observations).toMatchObject([{ price: '0.000002', effectiveFrom: '2026-06-10' }])
    expect(read.nextChangeAt).toBe('2027-01-01T00:00:00.000Z')
    expect(read.ignored).toEqual([
      {
        reason: 'a price that takes effect later: it is read when it does',
        count: 1,
        example: 'm input_tokens',
      },
    ])
  })

  it('announces what begins later, with its steps, where nothing after it in the list is in force', () => {
    const steps = { input_mtok: { base: 3, tiers: [{ start: 200_000, price: 6 }] } }
    const later = (start_date: string, prices: object) => ({ constraint: { start_date }, prices })
    const announced = (...prices: object[]) =>
      (parse(listing(model('m', [{ prices: { input_mtok: 2 } }, ...prices]))).announced ?? []).map(
        ({ from, observation: { pricingTier, price, effectiveFrom, locator } }) =>
          `${from} ${JSON.stringify(pricingTier)} ${price} ${effectiveFrom} ${locator}`,
      )
    expect(announced(later('2027-01-01', steps))).toEqual([
      '2027-01-01T00:00:00.000Z {} 0.000003 2027-01-01 /0/models/0/prices/1/prices/input_mtok/base',
      '2027-01-01T00:00:00.000Z {"context":">200000"} 0.000006 2027-01-01 /0/models/0/prices/1/prices/input_mtok/tiers/0',
    ])
    expect(announced(later('2027-01-01', steps), { prices: { input_mtok: 4 } })).toEqual([])
    const night = { constraint: { start_date: '2027-01-01', start_time: '00:30:00Z', end_time: '16:30:00Z' } }
    expect(announced({ ...night, prices: { input_mtok: 1 } })).toEqual([])
  })

  it('gives the announced price from the very instant it starts', () => {
    expect(lines(dated, parseInstant('2026-12-31T23:59:59.999Z')!)[0]?.[3]).toBe('0.000002')
    expect(lines(dated, parseInstant('2027-01-01T00:00:00Z')!)[0]?.[3]).toBe('0.000003')
    expect(lines(dated, parseInstant('2026-06-09T23:59:59Z')!)[0]?.[3]).toBe('0.00001')
  })

  it('reads a price for a time of day as a tier, of the old shape and of the new', () => {
    for (const type of [{}, { type: 'time_of_date' }]) {
      const night = {
        constraint: { ...type, start_time: '00:30:00Z', end_time: '16:30:00Z' },
        prices: { input_mtok: 4 },
      }
      expect(lines(listing(model('m', [{ prices: { input_mtok: 2 } }, night])))).toEqual([
        ['input_tokens', 'usd_per_token', '{}', '0.000002'],
        ['input_tokens', 'usd_per_token', '{"timeOfDay":"00:30Z-16:30Z"}', '0.000004'],
      ])
    }
  })

  it('counts what it does not understand, with an example, and takes the rest', () => {
    const read = parse(
      listing(
        model('good', { input_mtok: 1, dreams_kcount: 3 }),
        model('negative', { input_mtok: -1 }),
        model('text', { input_mtok: 'about a dollar' }),
        model('null', { input_mtok: null }),
        model('bare', {}),
        model('odd', [{ constraint: { moon: 'full' }, prices: { input_mtok: 1 } }]),
        { match: {} },
        model('good', { input_mtok: 1 }),
        model('good', { input_mtok: 7 }),
      ),
    )
    expect(read.observations).toMatchObject([
      { resource: 'good', price: '0.000001', locator: '/0/models/0/prices/input_mtok' },
    ])
    expect(Object.fromEntries(read.ignored.map(({ reason, count }) => [reason, count]))).toEqual({
      'an unknown kind of price: dreams_kcount': 1,
      'a negative price: the source’s mark for a dynamic one': 1,
      'a price that is not a number': 2,
      'a model without a price': 1,
      'a condition of an unknown kind': 1,
      'a model without a price in force': 1,
      'a model without an id': 1,
      'the same price line again': 1,
      'the same price line again with another price: the first was taken': 1,
    })
  })

  it('keeps a price of zero apart from no price', () => {
    expect(lines(listing(model('free', { input_mtok: 0 }), model('unknown', {})))).toEqual([
      ['input_tokens', 'usd_per_token', '{}', '0'],
    ])
  })

  it.each([
    ['', /empty/],
    ['<!DOCTYPE html><html><body>Not found</body></html>', /web page/],
    ['[{"id":"acme","models":[{"id":"m","pri', /cut off after 38 bytes/],
    ['[{"id":"acme","models":[{"id":"m","prices":{"input_mtok":NaN}}]}]', /NaN/],
    ['[]', /empty list/],
    ['{"error":"rate limited"}', /not a list/],
    ['[1]', /not an object/],
    ['[{"name":"Acme"}]', /no id or no models/],
    ['[{"id":"acme","models":[]}]', /no prices at all/],
  ])('refuses %j with a sentence', (text, sentence) => {
    expect(() => parse(text)).toThrow(SnapshotError)
    expect(() => parse(text)).toThrow(sentence)
  })
})
