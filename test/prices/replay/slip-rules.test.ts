import { describe, expect, it } from 'vitest'
import type { RawChange } from '../../../src/prices/replay/raw-change-rules.ts'
import { placeAmong, wrongSets } from '../../../src/prices/replay/slip-rules.ts'
import { day } from '../observed.ts'
import { rawChange } from './raw-facts.ts'

describe('a list', () => {
  const wrong = (...all: Partial<RawChange>[]) => [
    ...wrongSets(all.map((more) => rawChange({ until: day(9), ...more }))),
  ]
  const isWrong = (before: string, after: string, next: string | undefined, sellers: number[] = []) =>
    wrong({ before, after, next, sellers }).length === 1

  it.each([
    ['1', '20', '4', true],
    ['1', '20', '4.1', false],
    ['1', '10', '1', false],
    ['20', '1', '5', true],
    ['20', '1', '4.9', false],
    ['10', '1', '9', false],
    ['0', '20', '1', false],
    ['20', '0', '20', false],
    ['1', '20', '0', false],
    ['1', '20', undefined, false],
  ])('was wrong that moved a price from %s to %s and then to %s: %s', (before, after, next, is) => {
    expect(isWrong(before, after, next)).toBe(is)
  })

  it.each([
    ['five times of the only seller, then twice', '5', '2', [1], true],
    ['a fifth of the only seller, then half', '0.2', '0.5', [1], true],
    ['less than five times', '4.9', '2', [1], false],
    ['still more than twice', '5', '2.1', [1], false],
    ['near one of two sellers', '5', '2', [1, 2], false],
    ['far from two sellers, then near one of them', '25', '8', [1, 4], true],
    ['far from all that charge anything', '5', '2', [0, 1], true],
    ['beside sellers that charge nothing', '5', '2', [0], false],
    ['never corrected', '5', undefined, [1], false],
  ])('was wrong, or was not, whose price was %s', (_, after, next, sellers, is) => {
    expect(isWrong('3', after, next, sellers)).toBe(is)
  })

  it.each([
    ['towards the others, which the price before was far from', '1', '20', '1', [20], false],
    ['towards one of the others', '1', '20', '1', [7, 40], false],
    ['away from the others', '1', '20', '1', [1], true],
    ['from a price that was not far from all others', '1', '20', '1', [4, 20], true],
    ['to a price that is not like that of others', '1', '20', '1', [50], true],
    ['in decimals that have no exact quotient', '0.0003', '0.000006', '0.0003', [0.00006], true],
  ])('was wrong, or was not, that moved a price far and then back: %s', (_, before, after, next, sellers, is) => {
    expect(isWrong(before, after, next, sellers)).toBe(is)
  })

  it('is compared with others by quotients of decimals, which are not exact', () => {
    expect([placeAmong([0.00006], 0.0003), placeAmong([0.00006], 0.00003), placeAmong([0.1], 0.3)]).toEqual([
      'apart',
      'alike',
      undefined,
    ])
  })

  it('was wrong about a set until it corrected itself', () => {
    const slip = { before: '1', after: '20', next: '1', set: 's' }
    expect(wrong(slip, { set: 'other' }, { set: 's', key: '["acme","m2"]' })).toEqual([['s', day(9)]])
  })

  it('was wrong about the same slip under another name of the provider, in the same snapshot', () => {
    const key = (provider: string, resource: string, dimension = 'input') =>
      JSON.stringify([provider, resource, dimension])
    const slip = { key: key('p', 'm1'), before: '1', after: '20', next: '1', set: 'first' }
    const same = { ...slip, key: key('p', 'm2'), next: undefined, set: 'second' }
    expect(wrong(slip, same)).toEqual([['first', day(9)], ['second', day(9)]]) // biome-ignore format: pairs
    for (const other of [
      { key: key('q', 'm2') },
      { key: key('p', 'm2', 'output') },
      { at: day(2) },
      { before: '2' },
      { after: '21' },
    ])
      expect(wrong(slip, { ...same, ...other })).toEqual([['first', day(9)]])
  })
})
