import { describe, expect, it } from 'vitest'
import {
  type FitFacts,
  fitOf,
  isChargedElsewhere,
  isFarFromAll,
  isPriceOfMost,
  rangeOf,
} from '../../../src/prices/plan/evidence/fit-rules.ts'
import { sameShareAs } from '../../../src/prices/plan/evidence/input-share-rules.ts'

const limits = { least: 0.01, most: 100, toInput: { least: 0.5, most: 20 } }
const sellers = { count: 2, least: 1, most: 3, median: 2 }
const judged = (price: number, more: Partial<FitFacts> = {}) =>
  fitOf(price, { limits, namedFree: false, comparable: true, ...more })

describe('the fit of a price', () => {
  it('is known from two other sellers on: within 2.5 times of their median', () => {
    const fits = [5, 0.8].map((price) => judged(price, { sellers }).fit)
    expect(fits).toEqual(['fits', 'fits'])
    expect([5.01, 0.79].map((price) => judged(price, { sellers }).fit)).toEqual(['plausible', 'plausible'])
    expect(judged(2, { sellers: { ...sellers, count: 1 } })).toEqual({ fit: 'plausible' })
  })

  it('is wrong beyond 8 times of what all others charge', () => {
    expect([24, 0.125].map((price) => judged(price, { sellers }).fit)).toEqual(['plausible', 'plausible'])
    expect([24.1, 0.12].map((price) => judged(price, { sellers }))).toEqual(
      Array(2).fill({ fit: 'misfits', because: 'sellers' }),
    )
  })

  it('is not judged by sellers that give it away', () => {
    const free = { count: 9, least: 0, most: 0, median: 0 }
    expect([judged(0, { sellers: free }), judged(5, { sellers: free })]).toEqual([
      { fit: 'plausible' },
      { fit: 'plausible' },
    ])
  })

  it('is wrong for a zero where nothing is free, whatever its name says', () => {
    const rented = { limits: { ...limits, neverFree: true } }
    expect(judged(0, { ...rented, namedFree: true })).toEqual({ fit: 'misfits', because: 'limits' })
  })

  it('is wrong out of proportion to the input price, where the dimension has such limits', () => {
    const beside = (price: number, input: number) => judged(price, { input }).because
    expect([beside(1, 2), beside(20, 1)]).toEqual([undefined, undefined])
    expect([beside(0.99, 2), beside(20.1, 1)]).toEqual(['input', 'input'])
    expect(judged(90, { input: 1, limits: { least: 0.01, most: 100 } })).toEqual({ fit: 'plausible' })
    expect(judged(90, { input: 0 })).toEqual({ fit: 'plausible' })
  })

  it('is wrong beyond 8 times of the proportion that five other resources of its provider have', () => {
    const shares = { count: 5, least: 1, most: 2, median: 1 }
    const beside = (price: number, more: Partial<FitFacts> = {}) =>
      judged(price, { input: 1, limits: { least: 0.01, most: 100 }, shares, ...more }).because
    expect([beside(16), beside(0.125)]).toEqual([undefined, undefined])
    expect([beside(16.1), beside(0.12)]).toEqual(['input', 'input'])
    expect(beside(16.1, { shares: { ...shares, count: 4 } })).toBeUndefined()
    expect(beside(16.1, { comparable: false })).toBeUndefined()
    expect(beside(16.1, { sellers: { count: 2, least: 16, most: 16, median: 16 } })).toBeUndefined()
  })
})

describe('what others charge', () => {
  it('is a range with the lower one of two middle prices', () => {
    expect(rangeOf([10, 3, 1, 2])).toEqual({ count: 4, least: 1, most: 10, median: 2 })
    expect(rangeOf([10, 9, 100])).toEqual({ count: 3, least: 9, most: 100, median: 10 })
    expect(rangeOf([])).toBeUndefined()
  })

  it('is nearly a price where two of them are within 2.5 times of it', () => {
    expect(isChargedElsewhere(2, [5, 0.8, 90])).toBe(true)
    expect(isChargedElsewhere(2, [5.01, 0.8, 90])).toBe(false)
    expect(isChargedElsewhere(0, [0, 0, 1])).toBe(false)
  })

  it.each([
    {
      sellers: 'two charge it already, and most list it now',
      published: [1, 1, 9, 9, 9],
      listed: [1, 1, 1, 9, 9],
      of: true,
    },
    { sellers: 'it differs by rounding', published: [1.019, 0.981, 9], listed: [1.019, 0.981, 9], of: true },
    { sellers: 'it differs by more', published: [1.021, 0.979, 9], listed: [1.021, 0.979], of: false },
    { sellers: 'one alone charged it before', published: [1, 9, 9], listed: [1, 1, 1], of: false },
    { sellers: 'as many list the price before', published: [1, 1, 9], listed: [1, 1, 9, 9], of: false },
    { sellers: 'most list a third price', published: [1, 1, 5, 5, 5], listed: [1, 1, 5, 5, 5], of: true },
  ])('is the new price of most where $sellers: $of', ({ published, listed, of }) => {
    expect(isPriceOfMost(9, 1, { published, listed })).toBe(of)
  })

  it('is far from a price beyond 8 times of all of them', () => {
    const far = (price: number) => isFarFromAll(price, { count: 1, least: 1, most: 2, median: 1 })
    expect([far(16), far(16.1), far(0.125), far(0.12)]).toEqual([false, true, false, true])
  })
})

describe('the share of its input price that another resource has too', () => {
  const others = [
    { resource: 'free', share: 0 },
    { resource: 'half', share: 0.5 },
    { resource: 'tenth', share: 0.1 },
  ]
  const found = (before: [number, number], after: [number, number]) =>
    sameShareAs({ price: before[0], input: before[1] }, { price: after[0], input: after[1] }, others)

  it('is found within 2 % when the input price changed too, by three times at most', () => {
    expect(found([1, 2], [0.1, 1])).toBe('tenth')
    expect(found([1, 0.2], [0.04, 0.4])).toBe('tenth')
    expect(found([1, 3], [0.1, 1])).toBe('tenth')
    expect(found([1, 3.1], [0.1, 1])).toBeUndefined()
    expect(found([1, 1], [0.1, 1])).toBeUndefined()
    expect([found([1, 2], [0.509, 1]), found([1, 2], [0.511, 1])]).toEqual(['half', undefined])
  })

  it('is none of a price that became zero', () => {
    expect(found([1, 2], [0, 1])).toBeUndefined()
  })
})
