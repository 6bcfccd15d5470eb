import { describe, expect, it } from 'vitest'
import { ageOf, groupsOf, servedOf, stateOf, totalsOf, worstFirst } from '../../src/prices/accuracy/accuracy-rules.ts'
import type { FactsGroup, Group, ServedFacts } from '../../src/prices/accuracy/schema.ts'

const facts = (more: Partial<ServedFacts> = {}): ServedFacts => ({
  rank: 'community',
  said: true,
  fresh: true,
  byProvider: false,
  independent: false,
  independentOfOwn: false,
  contradicted: false,
  providerDiffers: false,
  hours: 1,
  ...more,
})
const group = (provider: string, more: Partial<Group> = {}): Group => ({
  ...{ provider, rank: 'community', contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 },
  said: { day: 0, week: 0, month: 0, before: 0 },
  ...{ published: 0, hoursMedian: null, hoursP90: null },
  ...more,
})

describe('what the sources of the day say of a served price', () => {
  it.each<[state: string, Partial<ServedFacts>]>([
    ['ownList', {}],
    ['ownList', { rank: 'verified' }],
    ['byProvider', { rank: 'provider' }],
    ['unconfirmed', { rank: 'provider', fresh: false }],
    ['unconfirmed', { rank: 'provider', said: false }],
    ['byProvider', { byProvider: true, said: false, fresh: false }],
    ['byProvider', { byProvider: true, independent: true, independentOfOwn: true }],
    ['independent', { independent: true, said: false, fresh: false }],
    ['independent', { independentOfOwn: true }],
    ['unconfirmed', { independentOfOwn: true, said: false }],
    ['unconfirmed', { independentOfOwn: true, fresh: false }],
    ['unconfirmed', { fresh: false }],
    ['unconfirmed', { said: false }],
    ['contradicted', { contradicted: true, byProvider: true, independent: true }],
    ['contradicted', { providerDiffers: true, independent: true }],
  ])('is %s with %o', (state, more) => {
    expect(stateOf(facts(more))).toBe(state)
  })

  it.each([
    [0, 'day'],
    [24, 'day'],
    [25, 'week'],
    [167, 'week'],
    [168, 'month'],
    [719, 'month'],
    [720, 'before'],
    [null, 'before'],
  ])('was said by its source %s hours ago: %s', (hours, age) => {
    expect(ageOf(hours)).toBe(age)
  })

  it('is counted by provider and by the rank of the source', () => {
    const of = (provider: string, count: number, more: Partial<ServedFacts> = {}): FactsGroup => ({
      ...facts(more),
      provider,
      count,
    })
    const lag = { published: 3, hoursMedian: 1.5, hoursP90: 9 }
    const groups = groupsOf(
      [
        of('acme', 5, { rank: 'provider' }),
        of('acme', 2, { rank: 'provider', hours: 30 }),
        of('acme', 4),
        of('other', 1, { fresh: false, hours: 900 }),
        of('other', 7, { fresh: false, hours: 200 }),
      ],
      [
        { provider: 'acme', rank: 'community', ...lag },
        { provider: 'gone', rank: 'verified', ...lag },
      ],
    )
    expect(groups).toEqual([
      group('acme', { rank: 'provider', byProvider: 7, said: { day: 5, week: 2, month: 0, before: 0 } }),
      group('acme', { ownList: 4, said: { day: 4, week: 0, month: 0, before: 0 }, ...lag }),
      group('other', { unconfirmed: 8, said: { day: 0, week: 0, month: 7, before: 1 } }),
      group('gone', { rank: 'verified', ...lag }),
    ])
    expect(groups.map(servedOf)).toEqual([7, 4, 8, 0])
  })

  it('is shown the worst first: contradicted, then unconfirmed by their share, then the largest', () => {
    const given = [
      group('b', { ownList: 10 }),
      group('a', { ownList: 10 }),
      group('a', { ownList: 10, rank: 'verified' }),
      group('large', { ownList: 50 }),
      group('empty'),
      group('some', { unconfirmed: 2, ownList: 8 }),
      group('more', { unconfirmed: 9, ownList: 31 }),
      group('one', { contradicted: 1, ownList: 9 }),
      group('five', { contradicted: 5, ownList: 95 }),
      group('five-unconfirmed', { contradicted: 5, unconfirmed: 1, ownList: 94 }),
    ]
    expect(worstFirst(given).map(({ provider, rank }) => `${provider} ${rank}`)).toEqual([
      ...['one community', 'five-unconfirmed community', 'five community', 'more community', 'some community'],
      ...['large community', 'a community', 'a verified', 'b community', 'empty community'],
    ])
    expect(given[0]!.provider).toBe('b')
  })
})

it('the totals are the sums of all groups, state by state', () => {
  const group = { contradicted: 1, byProvider: 2, independent: 3, ownList: 4, unconfirmed: 5 }
  const other = { contradicted: 10, byProvider: 20, independent: 30, ownList: 40, unconfirmed: 50 }
  expect(totalsOf([group, other])).toEqual({
    contradicted: 11,
    byProvider: 22,
    independent: 33,
    ownList: 44,
    unconfirmed: 55,
  })
  expect(totalsOf([])).toEqual({ contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 })
})
