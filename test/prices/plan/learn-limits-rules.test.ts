import { describe, expect, it } from 'vitest'
import { learnLimits, type PublishedPrice } from '../../../src/prices/plan/evidence/learn-limits-rules.ts'

const pricesOf = (provider: string, prices: number[], more: Partial<PublishedPrice> = {}): PublishedPrice[] =>
  prices.map((price) => ({ provider, dimension: 'output_tokens', unit: 'token', price, ...more }))
const same = (count: number, price = 4) => Array<number>(count).fill(price)
const learn = (...prices: PublishedPrice[][]) => learnLimits(prices.flat(), { about: '', dimensions: {}, units: {} })
const limitsOf = (...prices: PublishedPrice[][]) => learn(...prices).dimensions.output_tokens

describe('limits learned from published prices', () => {
  it('need a hundred prices of three providers', () => {
    const known = { least: 0.4, most: 5, prices: 100 }
    expect(limitsOf(pricesOf('a', same(98)), pricesOf('b', [4]), pricesOf('c', [4]))).toEqual(known)
    expect(limitsOf(pricesOf('a', same(97)), pricesOf('b', [4]), pricesOf('c', [4]))).toBeUndefined()
    expect(limitsOf(pricesOf('a', same(200)), pricesOf('b', same(200)))).toBeUndefined()
  })

  it('go from the least to the most of all providers, in whatever order their prices come', () => {
    const [a, b, c] = [pricesOf('a', [10, 9, 30, ...same(100, 12)]), pricesOf('b', [6, 5, 8]), pricesOf('c', [7, 20])]
    const known = { least: 0.5, most: 38, prices: 108 }
    expect(limitsOf(a, b, c)).toEqual(known)
    expect(limitsOf(c, b, a)).toEqual(known)
  })

  it('count what one provider charges alone as ten times beyond the next at most', () => {
    const [b, c] = [pricesOf('b', same(100)), pricesOf('c', [4])]
    expect(limitsOf(pricesOf('a', [0.001, 900]), b, c)).toEqual({ least: 0.04, most: 50, prices: 103 })
    expect(limitsOf(pricesOf('a', [0.5, 30]), b, c)).toEqual({ least: 0.05, most: 38, prices: 103 })
  })

  it('leave out a thousandth of the prices of a provider at each end', () => {
    const others = [pricesOf('b', [2]), pricesOf('c', [2])]
    expect(limitsOf(pricesOf('a', [0.5, 30, ...same(998)]), ...others)).toEqual({ least: 0.2, most: 5, prices: 1002 })
    expect(limitsOf(pricesOf('a', [0.5, 30, ...same(997)]), ...others)?.least).toBe(0.05)
  })

  it('are not those of what is free, which is a published price all the same', () => {
    const free = pricesOf('a', [0, 0])
    expect(limitsOf(free, pricesOf('a', same(98)), pricesOf('b', [4]), pricesOf('c', [4]))).toEqual({
      least: 0.4,
      most: 5,
      prices: 102,
    })
    expect(limitsOf(free, pricesOf('a', same(97)), pricesOf('b', [4]), pricesOf('c', [4]))).toBeUndefined()
  })

  it('hold the proportion to the input price, where it is known of enough prices that are not free', () => {
    const of = (provider: string, count: number, more: Partial<PublishedPrice> = { input: 2 }) =>
      pricesOf(provider, same(count), more)
    const rest = [of('b', 1), of('c', 1)]
    expect(limitsOf(of('a', 98), ...rest)?.toInput).toEqual({ least: 1.6, most: 2.5 })
    expect(limitsOf(of('a', 98, { input: 2, price: 0 }), of('a', 97), of('b', 2, {}), ...rest)?.toInput).toBeUndefined()
    expect(limitsOf(of('a', 97), of('a', 9, { input: 0 }), ...rest)?.toInput).toBeUndefined()
    const input = { dimension: 'input_tokens', input: 4 }
    const ofInput = learn(of('a', 98, input), of('b', 1, input), of('c', 1, input)).dimensions.input_tokens
    expect(ofInput).toEqual({ least: 0.4, most: 5, prices: 100 })
  })

  it('are known by dimension, and by unit over all its dimensions, each in the order of its names', () => {
    const rented = { dimension: 'gpu_hours', unit: 'gpu_hour' }
    const three = (more: Partial<PublishedPrice> = {}) =>
      [pricesOf('a', same(98)), pricesOf('b', [4]), pricesOf('c', [4])].flat().map((price) => ({ ...price, ...more }))
    const byHand = { pages: { least: 1, most: 2 }, audio: { least: 1, most: 2 } }
    const learned = learnLimits([...three(), ...three({ dimension: 'input_tokens' }), ...three(rented)], {
      about: '',
      dimensions: byHand,
      units: {},
    })
    const known = { least: 0.4, most: 5, prices: 100 }
    expect(Object.entries(learned.dimensions)).toEqual([
      ['audio', { least: 1, most: 2 }],
      ['gpu_hours', { ...known, neverFree: true }],
      ['input_tokens', known],
      ['output_tokens', known],
      ['pages', { least: 1, most: 2 }],
    ])
    expect(Object.entries(learned.units)).toEqual([
      ['gpu_hour', known],
      ['token', { ...known, prices: 200 }],
    ])
  })
})
