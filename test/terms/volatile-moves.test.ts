import { describe, expect, it } from 'vitest'
import { boundedComparer } from '../../src/terms/compare/changes-rules.ts'
import type { Unit } from '../../src/terms/normalize/units-rules.ts'
import { hunksOf, pairUnits } from '../../src/terms/volatile/align-rules.ts'
import { regionsOf } from '../../src/terms/volatile/moves-rules.ts'
import { letters, unit } from './units.ts'

describe('the differences of two texts', () => {
  it('are the ranges of both between units that are the same', () => {
    const parts = [
      { value: ['a', 'b'] },
      { value: ['c'], removed: true },
      { value: ['d', 'e'], added: true },
      { value: ['f'] },
      { value: ['g'], added: true },
      { value: ['h'] },
      { value: ['i', 'j'], removed: true },
    ]
    expect(hunksOf(parts)).toEqual([
      { from: 2, to: 3, otherFrom: 2, otherTo: 4 },
      { from: 4, to: 4, otherFrom: 5, otherTo: 6 },
      { from: 5, to: 7, otherFrom: 7, otherTo: 7 },
    ])
  })

  it('are none of equal texts', () => {
    expect(hunksOf([{ value: ['a', 'b'] }])).toEqual([])
  })
})

describe('two wordings of one sentence', () => {
  const pairs = (before: string[], after: string[]) => pairUnits(before.map(unit), after.map(unit))

  it('are found by half of their words, in order', () => {
    expect(pairs(['one two'], ['one three'])).toEqual([0])
    expect(pairs(['one two three'], ['one four five'])).toEqual([undefined])
    expect(pairs(['first of all', 'second of all'], ['new line here', 'first of some', 'second of some'])).toEqual([
      1, 2,
    ])
  })

  it('have the same words in other letters and with other marks', () => {
    expect(pairs(['WE, TOO.'], ['we too'])).toEqual([0])
    expect(pairs(['we too'], ['(We) Too!'])).toEqual([0])
    expect(pairs(['...'], ['!!!'])).toEqual([undefined])
  })

  it('share a word as often as both have it', () => {
    expect(pairs(['no no no yes'], ['no'])).toEqual([undefined])
    expect(pairs(['no no no yes'], ['no no no'])).toEqual([0])
  })

  it('are the ones with most words in common', () => {
    expect(pairs(['one two three'], ['one two four', 'one two three', 'one two five'])).toEqual([1])
    expect(pairs(['one two four', 'one two three', 'one two five'], ['one two three'])).toEqual([
      undefined,
      0,
      undefined,
    ])
  })

  it('are units with the same key, whatever their text', () => {
    const [a, b] = [unit('2 January 2026'), { ...unit('on the second day'), key: '2 january 2026' }]
    expect(pairUnits([a], [b])).toEqual([0])
  })

  it('are not paired with what comes before or after a better pair', () => {
    const [rain, sun] = ['rain falls in spring', 'sun shines in summer']
    expect(pairs([rain, sun], [sun, rain])).toHaveLength(2)
    expect(pairs([rain, sun], [sun, rain]).filter((pair) => pair !== undefined)).toHaveLength(1)
    expect(pairs(['a b', rain, sun, 'c d'], [rain, 'e f', sun])).toEqual([undefined, 0, 2, undefined])
    expect(pairs([rain, 'e f', sun], ['a b', rain, sun, 'c d'])).toEqual([1, undefined, 2])
  })

  it('are none of nothing', () => {
    expect(pairs([], ['a'])).toEqual([])
    expect(pairs(['a'], [])).toEqual([undefined])
  })
})

describe('differences that belong together', () => {
  type Place = { from: number; to: number }
  function regions(current: Unit[], fetched: Unit[], places: Place[] = []): string[] {
    const parts = boundedComparer()(current, fetched)!
    return regionsOf(hunksOf(parts), places, current, fetched).map(
      ({ from, to, otherFrom, otherTo, moved }) =>
        `${from}-${to} ${otherFrom}-${otherTo}${moved === true ? ' moved' : ''}`,
    )
  }
  const ofLetters = (current: string, fetched: string, places?: Place[]) =>
    regions(letters(current), letters(fetched), places)

  it('are none where nothing moved', () => {
    expect(ofLetters('aXbYc', 'aPQbRc')).toEqual(['1-2 1-3', '3-4 4-5'])
    expect(ofLetters('abc', 'abc')).toEqual([])
  })

  it('are those between which a unit moved down or up', () => {
    expect(ofLetters('abcd', 'bcda')).toEqual(['0-4 0-4 moved'])
    expect(ofLetters('bcda', 'abcd')).toEqual(['0-4 0-4 moved'])
    expect(ofLetters('-abcd-XY', '-bcda-PQ')).toEqual(['1-5 1-5 moved', '6-8 6-8'])
    expect(ofLetters('Xabcd', 'Pabcd')).toEqual(['0-1 0-1'])
  })

  it('are all between which several moved, one over another', () => {
    expect(ofLetters('a12b34567', '12a34b567')).toEqual(['0-6 0-6 moved'])
    expect(ofLetters('aXbc', 'bYca')).toEqual(['0-4 0-4 moved'])
  })

  it('are not those of which a unit only moved within the difference', () => {
    const [current, fetched] = [letters('-ab-'), letters('-ba-')]
    const hunk = { from: 1, to: 3, otherFrom: 1, otherTo: 3 }
    expect(regionsOf([hunk], [], current, fetched)).toEqual([{ ...hunk, moved: false }])
  })

  it('have at most 40 units', () => {
    const between = (count: number) => Array.from({ length: count }, (_, i) => unit(`u${i}`))
    const moved = (count: number) => regions([unit('a'), ...between(count)], [...between(count), unit('a')])
    expect(moved(39)).toEqual(['0-40 0-40 moved'])
    expect(moved(40)).toEqual(['0-1 0-0', '41-41 40-41'])
    const grown = regions([unit('a'), ...between(39), unit('x')], [...between(39), unit('y'), unit('a')])
    expect(grown).toEqual(['0-1 0-0', '40-41 39-41'])
  })

  it('have at most 300 words', () => {
    const long = (words: number) => ({ ...unit('long'), words })
    const moved = (words: number) => regions([unit('a'), long(words), unit('b')], [long(words), unit('a'), unit('b')])
    expect(moved(299)).toEqual(['0-2 0-2 moved'])
    expect(moved(300)).toEqual(['0-1 0-0', '2-2 1-2'])
    const beside = (words: number) => ({ ...unit('beside'), words })
    const [ab, ba] = [letters('ab'), letters('ba')]
    expect([298, 299].map((words) => regions(ab, [...ba, beside(words)]).length)).toEqual([1, 2])
    expect([298, 299].map((words) => regions([...ab, beside(words)], ba).length)).toEqual([1, 2])
  })

  it('are those that touch one place', () => {
    expect(ofLetters('-X-Y-', '-P-Q-', [{ from: 1, to: 4 }])).toEqual(['1-4 1-4'])
    expect(ofLetters('-X-Y-', '-P-Q-', [{ from: 2, to: 3 }])).toEqual(['1-4 1-4'])
    expect(ofLetters('-X-Y-Z-', '-P-Q-R-', [{ from: 1, to: 6 }])).toEqual(['1-6 1-6'])
    expect(
      ofLetters('-X-Y-Z-', '-P-Q-R-', [
        { from: 0, to: 0 },
        { from: 3, to: 6 },
      ]),
    ).toEqual(['1-2 1-2', '3-6 3-6'])
  })

  it('are not those of which a place touches only one', () => {
    expect(ofLetters('-X-Y-', '-P-Q-', [{ from: 1, to: 2 }])).toEqual(['1-2 1-2', '3-4 3-4'])
    expect(ofLetters('-X-Y-', '-P-Q-', [{ from: 3, to: 4 }])).toEqual(['1-2 1-2', '3-4 3-4'])
    expect(ofLetters('-X-Y-', '-P-Q-', [{ from: 0, to: 0 }])).toEqual(['1-2 1-2', '3-4 3-4'])
  })
})
