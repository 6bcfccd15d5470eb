import { describe, expect, it } from 'vitest'
import type { RankedCost } from '../../../clients/typescript/src/cost/index.ts'
import { cheapestOf, rankOffers } from '../../../src/web/pages/prices/cost/rank-offers.ts'
import type { Offer } from '../../../src/web/pages/prices/resource/offers.ts'

const offer = (provider: string, resource = 'm'): Offer => ({
  ...{ key: `${provider} ${resource}`, provider, resource, place: {}, lines: [], prices: [] },
})
const cost = (provider: string, total: string, place?: number, resource = 'm'): RankedCost => ({
  ...{ provider, resource, total: { USD: total }, parts: [], unpriced: [] },
  ...(place !== undefined && { place }),
})
const here = { provider: 'none', resource: 'm' }
const shown = (offers: Offer[]) => offers.map(({ key, cost, moreNames }) => [key, cost?.shown, moreNames])

describe('sellers by the cost of a workload', () => {
  it('come the cheapest first, and those last that have no price for a part of it', () => {
    const costs = [cost('b', '10', 1), cost('a', '12.5', 2), cost('c', '1')]
    const ranked = rankOffers([offer('a'), offer('c'), offer('b'), offer('d')], costs, here)
    expect(shown(ranked)).toEqual([
      ['b m', '10.00', 0],
      ['a m', '12.50', 0],
      ['c m', undefined, 0],
      ['d m', undefined, 0],
    ])
    expect(cheapestOf(ranked)?.key).toBe('b m')
  })

  it('call no one the cheapest where two ask the same, or where there is nothing else', () => {
    const same = rankOffers([offer('a'), offer('b')], [cost('a', '10', 1), cost('b', '10', 1)], here)
    expect(cheapestOf(same)).toBeUndefined()
    expect(cheapestOf(rankOffers([offer('a'), offer('b')], [cost('a', '10', 1)], here))).toBeUndefined()
  })

  it('are listed once, under their cheapest name or the one that the page is about', () => {
    const offers = [offer('a', 'slow'), offer('a', 'fast'), offer('b')]
    const costs = [cost('a', '1', 1, 'slow'), cost('b', '2', 2), cost('a', '3', 3, 'fast')]
    expect(shown(rankOffers(offers, costs, here))).toEqual([
      ['a slow', '1.00', 1],
      ['b m', '2.00', 0],
    ])
    expect(shown(rankOffers(offers, costs, { provider: 'b', resource: 'fast' }))[0]).toEqual(['a slow', '1.00', 1])
    expect(shown(rankOffers(offers, costs, { provider: 'a', resource: 'fast' }))).toEqual([
      ['b m', '2.00', 0],
      ['a fast', '3.00', 1],
    ])
  })
})
