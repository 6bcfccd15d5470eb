import { describe, expect, it } from 'vitest'
import type { LinePrice } from '../../../src/prices/plan/evidence/beside-rules.ts'
import { evidenceOf, publishedPrices } from '../../../src/prices/plan/evidence/evidence-rules.ts'
import type { Facts } from '../../../src/prices/plan/schema.ts'
import { lineKey } from '../../../src/prices/row-rules.ts'
import { checkChange } from '../holds/line-holds.ts'

type SoldPrice = { provider: string; resource: string; dimension: string; price: number }
const perToken = { unit: 'usd_per_token', currency: 'USD', pricingTier: '{}' }

/** Judges a price of a model, mostly that of its cache, beside its input price. Prices are per million tokens. */
function judged(
  cache: [number, number],
  input: [number, number],
  sold: SoldPrice[],
  { dimension = 'cache_read_tokens', proposed = {} }: { dimension?: string; proposed?: Record<string, number> } = {},
) {
  const line = { provider: 'maker', resource: 'chat', dimension, ...perToken }
  const prices = (at: 0 | 1): LinePrice[] => [
    { dimension: 'input_tokens', ...perToken, price: input[at] / 1e6 },
    { dimension, ...perToken, price: cache[at] / 1e6 },
  ]
  const listed = sold.map(({ price, ...named }) => ({ ...named, ...perToken, price: String(price / 1e6) }))
  const facts = {
    published: publishedPrices(
      listed,
      new Map(
        Object.entries(proposed).map(([provider, price]) => [lineKey({ ...line, provider }), String(price / 1e6)]),
      ),
    ),
    others: new Map(),
    witnesses: new Map(),
    recentPrices: new Map(),
    limits: { about: '', dimensions: {}, units: {} },
  } as unknown as Facts
  const [before, after] = [String(cache[0] / 1e6), String(cache[1] / 1e6)]
  const differing = { key: 'k', line, kind: 'changed', before, after, known: { lineId: '1' } } as never
  return evidenceOf(differing, { before: prices(0), after: prices(1), left: [] }, facts)
}

describe('a cache price that became ten times cheaper', () => {
  const twin = (input: number, cache: number): SoldPrice[] => [
    { provider: 'maker', resource: 'chat-2', dimension: 'input_tokens', price: input },
    { provider: 'maker', resource: 'chat-2', dimension: 'cache_read_tokens', price: cache },
  ]
  it.each([
    [
      'fits when another model of its provider has the same share of its input price',
      [0.28, 0.14],
      twin(0.14, 0.0028),
      [],
    ],
    ['does not when the other model has another share', [0.28, 0.14], twin(0.14, 0.014), ['power_of_ten']],
    [
      'does not when the input price stayed: one field may be wrong',
      [0.14, 0.14],
      twin(0.14, 0.0028),
      ['power_of_ten'],
    ],
    ['does not when the input price flipped as well', [1.4, 0.14], twin(0.14, 0.0028), ['power_of_ten']],
  ] as const)('%s', (_, input, sold, reasons) => {
    const evidence = judged([0.028, 0.0028], [...input], [...sold])
    expect(checkChange(evidence)).toEqual(reasons)
    expect(evidence.sameShareAs).toBe(reasons.length === 0 ? 'chat-2' : undefined)
  })

  it('does not fit while as many sellers charge the old price as the new one', () => {
    const at = (price: number, sellers: string[]): SoldPrice[] =>
      sellers.map((provider) => ({ provider, resource: 'chat', dimension: 'cache_read_tokens', price }))
    const some = at(0.028, ['a', 'b', 'c', 'd', 'e'])
    expect(checkChange(judged([0.0028, 0.028], [0.14, 0.14], some))).toEqual([])
    const both = [...some, ...at(0.0028, ['v', 'w', 'x', 'y', 'z'])]
    expect(checkChange(judged([0.0028, 0.028], [0.14, 0.14], both))).toEqual(['power_of_ten'])
  })
})

describe('a cut by ten that sellers follow one after the other', () => {
  const at = (price: number, sellers: string[], resource = 'chat'): SoldPrice[] =>
    sellers.map((provider) => ({ provider, resource, dimension: 'cache_read_tokens', price }))
  const sold = [...at(0.028, ['a', 'b', 'c', 'd', 'e']), ...at(0.0028, ['x', 'y'])]
  const check = (proposed: Record<string, number>, more: SoldPrice[] = []) => {
    const evidence = judged([0.028, 0.0028], [0.14, 0.14], [...sold, ...more], { proposed })
    return [checkChange(evidence), evidence.priceOfMost, evidence.isMaker]
  }
  it('is not a misread unit once most of them list it', () => {
    expect(check({})).toEqual([['power_of_ten'], undefined, undefined])
    expect(check({ a: 0.0028 })).toEqual([['power_of_ten'], undefined, undefined])
    expect(check({ a: 0.0028, b: 0.0028 })).toEqual([['tenfold_with_others'], true, undefined])
  })

  it('is a large change at the maker, whom others name', () => {
    const named = at(0.0028, ['z'], 'Maker/Chat')
    expect(check({ a: 0.0028, b: 0.0028 }, named)).toEqual([['large_change'], true, true])
    expect(check({}, named)).toEqual([['power_of_ten'], undefined, undefined])
    expect(check({ a: 0.0028, b: 0.0028 }, at(0.0028, ['z'], 'other/chat'))[2]).toBeUndefined()
  })
})

describe('a price far from the one other seller', () => {
  const other = (dimension: string): SoldPrice[] => [{ provider: 'other', resource: 'chat', dimension, price: 14 }]
  const check = (after: number, dimension: string) =>
    checkChange(judged([20, after], [5, 5], other(dimension), { dimension }))
  it('is doubtful when it moved more than tenfold, unless it is that of a cache, which sellers set as they like', () => {
    expect(check(1.3, 'output_tokens')).toEqual(['very_large_change', 'unlike_other_sellers'])
    expect(check(1.9, 'output_tokens')).toEqual(['very_large_change'])
    expect(check(1.3, 'cache_read_tokens')).toEqual(['very_large_change'])
  })
})

describe('a witness', () => {
  it('agrees with exactly the price that it shows', () => {
    const line = { provider: 'maker', resource: 'chat', dimension: 'input_tokens', ...perToken }
    const shown = ['0.1', '0.10', '0.10000000000000000001', '0.01']
    const facts = {
      published: publishedPrices([]),
      others: new Map(),
      witnesses: new Map([['k', shown.map((price, n) => ({ key: 'k', source: `w${n}`, price }))]]),
      recentPrices: new Map(),
      limits: { about: '', dimensions: {}, units: {} },
    } as unknown as Facts
    const differing = { key: 'k', line, kind: 'new', after: '0.1' } as never
    const { witnesses } = evidenceOf(differing, { before: [], after: [], left: [] }, facts)
    expect(witnesses?.map(({ agrees }) => agrees)).toEqual([true, true, false, false])
  })
})
