import { describe, expect, it } from 'vitest'
import type { LinePrice } from '../../../src/prices/plan/evidence/beside-rules.ts'
import { evidenceOf, isSpot, pricesBeside, publishedPrices } from '../../../src/prices/plan/evidence/evidence-rules.ts'
import type { ListedPrice } from '../../../src/prices/plan/evidence/evidence-schema.ts'
import { isWitnessed } from '../../../src/prices/plan/evidence/witness-rules.ts'
import type { Facts } from '../../../src/prices/plan/schema.ts'
import type { DifferingLine } from '../../../src/prices/plan/sets/line-set-rules.ts'
import { lineKey } from '../../../src/prices/row-rules.ts'
import type { LineIdentity } from '../../../src/prices/schema.ts'
import { facts } from '../plan/plan-facts.ts'
import { earlier, line as known } from './held-lines.ts'

const OUTPUT: LineIdentity = {
  provider: 'maker',
  resource: 'chat',
  dimension: 'output_tokens',
  unit: 'usd_per_token',
  currency: 'USD',
  pricingTier: '{}',
}
const INPUT = { ...OUTPUT, dimension: 'input_tokens' }
const sold = (provider: string, price: string, more: Partial<ListedPrice> = {}): ListedPrice => ({
  ...OUTPUT,
  provider,
  price,
  ...more,
})
const NO_LIMITS = { about: '', dimensions: {}, units: {} }

/** Gathers what is known about the price of a model’s output, from 10 to 20, beside an input price of 5. */
function gathered(
  more: Partial<DifferingLine> = {},
  facing: Partial<Facts> & { sold?: ListedPrice[]; input?: [number?, number?] } = {},
) {
  const { sold = [], input = [5, 5], ...given } = facing
  const differing: DifferingLine = {
    key: 'k',
    line: OUTPUT,
    known: known({ lineId: '1' }),
    kind: 'changed',
    before: '10',
    after: '20',
    ...more,
  }
  const prices = (price?: number): LinePrice[] => (price === undefined ? [] : [{ ...INPUT, price }])
  return evidenceOf(
    differing,
    { before: prices(input[0]), after: prices(input[1]), left: [] },
    facts([], { limits: NO_LIMITS, published: publishedPrices(sold), ...given }),
  )
}
const FIRST = { kind: 'new', before: undefined, known: undefined } as const

describe('the published prices of a source', () => {
  const listed = [
    sold('maker', '10'),
    sold('a', '11'),
    sold('b', '12', { resource: 'b-own-name', canonicalResource: 'maker/Chat' }),
    sold('c', '13', { pricingTier: '{"service":"batch"}' }),
    sold('d', '14', { resource: 'other' }),
    sold('maker', '4', { resource: 'chat-2' }),
  ]
  const published = publishedPrices(listed)

  it('are found by the model at other providers, whatever those call it', () => {
    const sellers = [
      { provider: 'a', price: 11, maker: '' },
      { provider: 'b', price: 12, maker: '' },
    ]
    expect(published.sellersOf(OUTPUT)).toEqual(sellers)
    expect(published.sellersOf({ ...OUTPUT, resource: 'my-chat' }, 'lab/chat')).toEqual(sellers)
    expect(published.sellersOf({ ...OUTPUT, resource: 'unknown' })).toEqual([])
  })

  it('have the price that the snapshot lists instead, and the maker that the seller names', () => {
    const named = sold('c', '13', { resource: 'The-Lab/Chat' })
    const proposed = new Map([[lineKey(named), '1.3']])
    expect(publishedPrices([named], proposed).sellersOf(OUTPUT)).toEqual([
      { provider: 'c', price: 13, listed: 1.3, maker: 'thelab' },
    ])
  })

  it('are found by the provider', () => {
    expect(published.ofProvider(OUTPUT)).toEqual([10, 4])
    expect(published.ofProvider({ ...OUTPUT, provider: 'z' })).toEqual([])
  })

  it('are found as shares of the input prices of other models of the provider', () => {
    const input = (resource: string, price: string) => sold('maker', price, { resource, dimension: 'input_tokens' })
    const shares = publishedPrices([
      ...listed,
      input('chat', '2'),
      input('chat-2', '2'),
      sold('maker', '4', { resource: 'chat-3' }),
      sold('maker', '4', { resource: 'chat-4' }),
      input('chat-4', '0'),
    ])
    expect(shares.sharesOfInput(OUTPUT)).toEqual([{ resource: 'chat-2', share: 2 }])
  })

  it('that speak for or against prices are those of the same provider, or of the same model elsewhere', () => {
    const beside = pricesBeside([
      { ...OUTPUT, canonicalResource: 'maker/chat' },
      { ...INPUT, resource: 'other' },
    ])
    expect(listed.filter(beside).map(({ provider, resource }) => [provider, resource])).toEqual([
      ['maker', 'chat'],
      ['a', 'chat'],
      ['b', 'b-own-name'],
      ['maker', 'chat-2'],
    ])
    expect([
      beside(sold('z', '1', { ...INPUT, provider: 'z', resource: 'Other' })),
      beside(sold('z', '1', { resource: 'other' })),
    ]).toEqual([true, false])
  })
})

describe('the evidence of a price', () => {
  it('is the prices alone where nothing else is known', () => {
    expect(gathered({}, { input: [] })).toEqual({
      before: '10',
      after: '20',
      fitBefore: 'plausible',
      fitAfter: 'plausible',
    })
    expect(gathered(FIRST, { input: [] })).toEqual({ after: '20', fitAfter: 'plausible' })
  })

  it('is its proportion to the input price, before and after', () => {
    expect(gathered().toInput).toEqual({ before: 2, after: 4 })
    expect(gathered({}, { input: [5] }).toInput).toEqual({ before: 2, after: undefined })
    expect(gathered(FIRST).toInput).toEqual({ before: undefined, after: 4 })
    expect(gathered({ line: INPUT }).toInput).toBeUndefined()
  })

  it('is what other resources of its provider cost in proportion to their input prices', () => {
    const sold5 = [1, 2, 2, 2, 4].flatMap((share, n) => [
      sold('maker', String(share), { resource: `m${n}` }),
      sold('maker', '1', { resource: `m${n}`, dimension: 'input_tokens' }),
    ])
    const free = [
      sold('maker', '0', { resource: 'free' }),
      sold('maker', '1', { resource: 'free', dimension: 'input_tokens' }),
    ]
    const evidence = gathered({ before: '170', after: '17' }, { sold: [...sold5, ...free] })
    expect(evidence).toMatchObject({ shares: { count: 5, least: 1, most: 4, median: 2 } })
    expect(evidence).toMatchObject({ fitBefore: 'misfits', fitAfter: 'plausible' })
    expect(gathered({}, { sold: sold5, input: [] }).shares).toBeUndefined()
  })

  it('is the limits of its dimension, and that it is outside', () => {
    const dimensions = { output_tokens: { least: 1, most: 19, toInput: { least: 0.1, most: 3 } } }
    const limited = (after: string) => gathered({ after }, { limits: { ...NO_LIMITS, dimensions } })
    expect(limited('12')).toMatchObject({ fitAfter: 'plausible', limits: { least: 1, most: 19 } })
    expect(limited('12').misfit).toBeUndefined()
    expect(limited('20')).toMatchObject({ fitBefore: 'plausible', fitAfter: 'misfits', misfit: 'limits' })
    expect(limited('16')).toMatchObject({ fitAfter: 'misfits', misfit: 'input' })
  })

  it('is what other sellers charge, in this source and in others: one price each, its own provider left out', () => {
    const others = new Map([
      [
        'k',
        [
          { provider: 'maker', price: '900' },
          { provider: 'b', price: '40' },
          { provider: 'b', price: '18' },
          { provider: 'b', price: '22' },
        ],
      ],
    ])
    const evidence = gathered({}, { sold: [sold('a', '24'), sold('maker', '10')], others })
    expect(evidence.sellers).toEqual({ count: 2, least: 22, most: 24, median: 22 })
    expect(evidence.provider).toEqual({ count: 1, least: 10, most: 10, median: 10 })
    expect([evidence.fitAfter, evidence.farFromSellers]).toEqual(['fits', undefined])
  })

  it('is that it is far from the one other seller, unless it is that of a cache', () => {
    const far = (line: LineIdentity) =>
      gathered({ line, after: '1' }, { sold: [{ ...line, provider: 'a', price: '8.1' }] }).farFromSellers
    expect([far(OUTPUT), far({ ...OUTPUT, dimension: 'cache_read_tokens' })]).toEqual([true, undefined])
  })

  it('is that several charge the published price as well, unless that cannot be right', () => {
    const listed = ['a', 'b', 'c', 'd', 'e'].map((provider) => sold(provider, '100'))
    const both = [...listed, sold('x', '10'), sold('y', '10')]
    expect(gathered({}, { sold: listed }).fitBefore).toBe('misfits')
    expect(
      gathered({ after: '100' }, { sold: [...listed, sold('z', '60'), sold('v', '5'), sold('w', '12')] }),
    ).toMatchObject({
      fitBefore: 'fits',
      fitAfter: 'fits',
    })
    const limits = { ...NO_LIMITS, dimensions: { output_tokens: { least: 11, most: 900 } } }
    expect(gathered({ after: '100' }, { sold: both, limits }).fitBefore).toBe('misfits')
  })

  it('is that another model has the same share of its input price, which makes no implausible price fit', () => {
    const twin = [
      sold('maker', '8', { resource: 'chat-2' }),
      sold('maker', '2', { resource: 'chat-2', dimension: 'input_tokens' }),
    ]
    const shared = (limits = NO_LIMITS, input: [number?, number?] = [10, 5]) =>
      gathered({}, { sold: twin, limits, input })
    expect(shared()).toMatchObject({ fitAfter: 'fits', sameShareAs: 'chat-2' })
    expect(shared({ ...NO_LIMITS, dimensions: { output_tokens: { least: 1, most: 19 } } })).toMatchObject({
      fitAfter: 'misfits',
      sameShareAs: 'chat-2',
    })
    for (const input of [
      [undefined, 5],
      [10, undefined],
      [5, 5],
    ] as [number?, number?][])
      expect(shared(NO_LIMITS, input)).not.toHaveProperty('sameShareAs')
  })

  it('is that its name says that it is free', () => {
    const free = (resource: string) =>
      gathered(
        { line: { ...OUTPUT, resource }, after: '0' },
        { sold: ['a', 'b'].map((one) => sold(one, '10', { resource })) },
      )
    expect([free('chat:FREE').fitAfter, free('freedom').fitAfter]).toEqual(['fits', 'misfits'])
  })

  it('is what sources of independent origin show, and whether it is the new price', () => {
    const witness = { key: 'k', source: 'azure', format: 'azure', resource: 'chat', price: '20.0', since: earlier }
    const proof = { url: 'https://example.org/prices', confidence: 'verified' }
    const witnesses = new Map([['k', [witness, { ...witness, price: '10', proof, effectiveFrom: '2026-01-01' }]]])
    const evidence = gathered({}, { witnesses })
    expect(evidence.witnesses).toEqual([
      { source: 'azure', price: '20.0', agrees: true, since: earlier },
      { source: 'azure', price: '10', agrees: false, since: earlier, effectiveFrom: '2026-01-01', ...proof },
    ])
    expect(isWitnessed(evidence)).toBe(true)
    expect(isWitnessed({ ...evidence, witnesses: evidence.witnesses!.slice(1) })).toBe(false)
    expect(isWitnessed(gathered())).toBe(false)
  })

  it('is that a changed line had the price within days, unless it is a spot price, which goes to and fro', () => {
    const SPOT = { ...OUTPUT, pricingTier: '{"service":"spot"}' }
    expect([isSpot(SPOT), isSpot(OUTPUT)]).toEqual([true, false])
    const recent = (more: Partial<DifferingLine>, isFirst = false) => {
      const recentPrices = new Map([['1', { prices: ['20'], isFirst }]])
      const { returns, recentFirstPrice } = gathered(more, { recentPrices })
      return [returns, recentFirstPrice]
    }
    expect([recent({}), recent({}, true)]).toEqual([
      [true, undefined],
      [true, true],
    ])
    expect(recent({ after: '21' })).toEqual([undefined, undefined])
    expect(recent({ line: SPOT }, true)).toEqual([undefined, true])
    expect(recent({ known: known({ lineId: '2' }) })).toEqual([undefined, undefined])
    expect(recent({ kind: 'new', before: undefined }, true)).toEqual([undefined, undefined])
  })
})
