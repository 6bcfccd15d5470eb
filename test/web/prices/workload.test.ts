import { describe, expect, it } from 'vitest'
import { costs } from '../../../clients/typescript/src/cost/index.ts'
import type { SeriesRow } from '../../../src/web/api/prices.ts'
import { costsOf, notesOf, shownAmount, singleTotal } from '../../../src/web/pages/prices/cost/costs.ts'
import {
  countOf,
  mixOf,
  readWorkloadSearch,
  searchOf,
  usageOf,
  workloadOf,
} from '../../../src/web/pages/prices/cost/workload.ts'
import { linesOf } from '../../../src/web/pages/prices/table/lines.ts'
import { priceRow } from '../../mcp/price-row.ts'

const row = (fields: Partial<SeriesRow>): SeriesRow =>
  ({
    provider: 'acme',
    resource: 'm',
    listed: 'm',
    source: 's',
    dimension: 'input_tokens',
    unit: 'usd_per_token',
    currency: 'USD',
    tier: {},
    price: '0.000002',
    recordedAt: fields.publishedAt ?? '2026-01-01T00:00:00.000Z',
    publishedAt: '2026-01-01T00:00:00.000Z',
    unpublishedAt: null,
    status: 'approved',
    contentHash: JSON.stringify(fields),
    places: 6,
    per: 'million tokens',
    ...fields,
  }) as SeriesRow

const usage = { items: [{ dimension: 'input_tokens', quantity: 1000 }], requests: 1_000_000 }

describe('a workload in the address of a page', () => {
  it('is chat, a million times, where the address has none or a wrong one', () => {
    const chat = { amounts: [3000, 0, 0, 500, 0], requests: 1_000_000, service: 'standard' }
    expect(workloadOf({})).toEqual(chat)
    expect(workloadOf({ tokens: '1,2', requests: 'many', service: 'free' })).toEqual(chat)
    expect(workloadOf({ tokens: '1,2,3,4,-5' })).toEqual(chat)
    expect(mixOf(workloadOf({}))).toBe('chat')
  })

  it('is read as it was written', () => {
    const own = { amounts: [1200, 1800, 7, 500, 90], requests: 20, service: 'batch' as const }
    const search = searchOf(own)
    expect(search).toEqual({ tokens: '1200,1800,7,500,90', requests: '20', service: 'batch' })
    expect(workloadOf(readWorkloadSearch(search))).toEqual(own)
    expect(searchOf({ ...own, requests: 1_000_000, service: 'standard' })).toEqual({ tokens: '1200,1800,7,500,90' })
    expect(mixOf(own)).toBeUndefined()
  })

  it('names each kind of token once', () => {
    const { items, requests, tier } = usageOf({ amounts: [1, 2, 3, 4, 5], requests: 6, service: 'flex' })
    expect(items.map(({ dimension, quantity }) => [dimension, quantity])).toEqual([
      ['input_tokens', 1],
      ['cache_read_tokens', 2],
      ['cache_write_tokens', 3],
      ['output_tokens', 4],
      ['reasoning_tokens', 5],
    ])
    expect([requests, tier]).toEqual([6, { service: 'flex' }])
  })

  it.each([
    [0, 0],
    ['12', 12],
    [1e12, 1e12],
    [1e12 + 1, undefined],
    [1.5, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s counts as %s', (typed, count) => expect(countOf(typed)).toBe(count))
})

describe('what a workload costs at each seller', () => {
  it('has the cost before the last change that changed it, and when that was', () => {
    const [first, second, third] = ['2026-02-01', '2026-03-01', '2026-04-01'].map((day) => `${day}T00:00:00.000Z`)
    const rows = [
      row({ price: '0.000005', unpublishedAt: first! }),
      row({ price: '0.000003', publishedAt: first!, unpublishedAt: second! }),
      row({ publishedAt: second! }),
      row({ dimension: 'output_tokens', price: '1', publishedAt: second!, unpublishedAt: third! }),
      row({ dimension: 'output_tokens', price: '2', publishedAt: third! }),
      row({ provider: 'cheap', price: '0.000001' }),
    ]
    const found = costsOf(linesOf(rows), [], usage)
    expect(found.map(({ place, provider, total, before }) => [place, provider, total, before])).toEqual([
      [1, 'cheap', { USD: '1000' }, undefined],
      [2, 'acme', { USD: '2000' }, { total: '3000', until: second }],
    ])
  })

  it('converts credits, at their price of each time, and says why it does not', () => {
    const CREDIT = 'ACME_AI_CREDIT'
    const change = '2026-02-01T00:00:00.000Z'
    const rate = linesOf([row({ currency: CREDIT, unit: 'credit_per_token', price: '0.000001' })])
    const credit = (price: string, fields: Partial<SeriesRow> = {}) =>
      row({ resource: CREDIT, listed: CREDIT, dimension: 'credits', unit: 'usd_per_credit', price, ...fields })
    const credits = linesOf([credit('3', { unpublishedAt: change }), credit('2', { publishedAt: change })])
    const [found, ...others] = costsOf(rate, credits, usage)
    expect(others).toEqual([])
    expect([found!.total, found!.before]).toEqual([{ USD: '2000' }, { total: '3000', until: change }])
    const [left] = costsOf(rate, [], usage)
    expect(left!.total).toEqual({ [CREDIT]: '1000' })
    expect(notesOf(left!)).toEqual([`Not in money: no price of ${CREDIT} is published`])
  })

  it('says nothing of before where something had no price then', () => {
    const later = '2026-02-01T00:00:00.000Z'
    const output = row({ dimension: 'output_tokens', publishedAt: later })
    const items = [...usage.items, { dimension: 'output_tokens', quantity: 1 }]
    expect(costsOf(linesOf([row({}), output]), [], { items })[0]?.before).toBeUndefined()
    expect(singleTotal({ USD: '1', EUR: '2' })).toBeUndefined()
    expect(singleTotal({})).toBeUndefined()
  })

  it('notes what is not in the total, and which prices are not the plain ones', () => {
    const rows = [
      priceRow({ pricingTier: { context: '>200000' } }),
      priceRow({ dimension: 'output_tokens' }),
      priceRow({ dimension: 'output_tokens', pricingTier: { timeOfDay: '16:30Z-00:30Z' } }),
    ]
    const dimensions = ['cache_read_tokens', 'output_tokens', 'output_images']
    const [cost] = costs(rows, { items: dimensions.map((dimension) => ({ dimension, quantity: 300_000 })) })
    expect(notesOf(cost!)).toEqual([
      'Without output images: no price is published',
      'Priced at context > 200K',
      'Cache read at the price of input',
      'Other prices at other times of the day',
    ])
    expect(notesOf(costs([priceRow()], usage)[0]!)).toEqual([])
  })

  it.each([
    ['23280', '23,280.00'],
    ['0', '0.00'],
    ['1.005', '1.01'],
    ['1.0049', '1.00'],
    ['999.999', '1,000.00'],
    ['0.5', '0.50'],
    ['0.012345', '0.01'],
    ['0.0012344', '0.00123'],
    ['0.0012345', '0.00123'],
    ['0.0012355', '0.00124'],
    ['0.00000012', '0.00000012'],
  ])('shows %s as %s', (amount, shown) => expect(shownAmount(amount)).toBe(shown))
})
