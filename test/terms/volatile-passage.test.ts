import { describe, expect, it } from 'vitest'
import { boundedComparer } from '../../src/terms/compare/changes-rules.ts'
import { wordingOf } from '../../src/terms/volatile/align-rules.ts'
import { narrowed, withVaryingWords } from '../../src/terms/volatile/new-passage-rules.ts'
import { excerptsOf, lastingKeys } from '../../src/terms/volatile/place-rules.ts'
import type { Place } from '../../src/terms/volatile/schema.ts'
import { unit } from './units.ts'

const AT = '2026-01-10T00:00:00.000Z'
const NOWHERE = { before: '?', after: '?' }
const text = (sentences: string[]) => ({
  keys: sentences.map((sentence) => unit(sentence).key),
  excerpt: sentences.join('\n'),
  since: AT,
  fetches: 1,
})
/** A passage that came where the document had nothing, with these sentences at one fetch after another. */
const passage = (texts: string[][], more: Partial<Place> = {}): Place => ({
  inForce: [],
  around: NOWHERE,
  aroundLatest: NOWHERE,
  texts: [text([]), ...texts.map(text)],
  transient: 3,
  volatileSince: AT,
  ...more,
})
const counter = (n: number) => `We sell the data of ${n} people to others`
const leftOut = (place: Place, sentence: string) => withVaryingWords(place, unit(sentence), boundedComparer())?.id

describe('a sentence that came with a passage', () => {
  const counted = passage([[counter(1)], [counter(2)], [counter(3)]])

  it('is left out but for its words, when its number differs at every fetch', () => {
    expect(leftOut(counted, counter(3))).toBe(`id of ${counter(3)}#5`)
    expect(withVaryingWords(counted, unit(counter(3)), boundedComparer())!.words).toBe(1)
  })

  it('is left out whole while three texts do not tell what stays', () => {
    const young = passage([[counter(1)], [counter(2)]])
    expect(leftOut({ ...young, texts: young.texts.slice(1) }, counter(2))).toBeUndefined()
    expect(leftOut(young, counter(2))).toBeUndefined()
    expect(leftOut(passage([[counter(1)], [counter(2)], ['Nothing of the kind']]), counter(2))).toBeUndefined()
  })

  it('is left out whole in a pool until six texts tell it', () => {
    expect(leftOut({ ...counted, isPool: true }, counter(3))).toBeUndefined()
    const six = passage(
      [1, 2, 3, 4, 5, 6].map((n) => [counter(n)]),
      { isPool: true },
    )
    expect(leftOut(six, counter(6))).toBe(`id of ${counter(6)}#5`)
  })

  it('is left out whole when other words than numbers differ', () => {
    const names = ['Ann', 'Bob', 'Cleo'].map((name) => `We sell the data of ${name} to others`)
    expect(leftOut(passage(names.map((name) => [name])), names[2]!)).toBeUndefined()
  })

  it('is found among the other sentences of the passage', () => {
    const beside = (n: number) => ['Your data is kept for long', counter(n), 'Rain falls today']
    const place = passage([beside(1), beside(2), beside(3)])
    expect(leftOut(place, counter(3))).toBe(`id of ${counter(3)}#5`)
  })
})

describe('the nearest wording of a sentence', () => {
  it('has half of its words, and the most of all', () => {
    const texts = ['one two three nine', 'one two three four', 'none']
    expect(wordingOf('one two three four five', texts)).toBe('one two three four')
    expect(wordingOf('one two', ['one six'])).toBe('one six')
    expect(wordingOf('one two', ['seven six'])).toBeUndefined()
  })
})

describe('a passage that is in force now', () => {
  const ranges = (place: Place, from: number, to: number, current: string[]) =>
    narrowed({ place, from, to, units: [] }, current.map(unit), boundedComparer()).map(
      (found) => `${found.from}-${found.to}`,
    )
  const place = passage([
    ['Heading', counter(1), 'a', 'b', 'Clause'],
    ['Heading', counter(2), 'c', 'd', 'Clause'],
    ['Heading', counter(3), 'e', 'f', 'Clause'],
  ])

  it('is a place where it differs, and a sentence with a number is one of its own', () => {
    expect(ranges(place, 1, 6, ['-', 'Heading', counter(3), 'e', 'f', 'Clause', '-'])).toEqual(['2-3', '3-5'])
    expect(ranges(place, 0, 4, ['e', counter(3), 'f', counter(3)])).toEqual(['0-1', '1-2', '2-3', '3-4'])
  })

  it('is two places where a sentence between stays', () => {
    expect(ranges(place, 0, 3, ['e', 'Clause', 'f'])).toEqual(['0-1', '2-3'])
  })

  it('is a place as it was when nothing in it differs', () => {
    expect(ranges(place, 1, 3, ['-', 'Heading', 'Clause'])).toEqual(['1-3'])
  })
})

describe('what stays in a place', () => {
  it('is what each of the newest texts has', () => {
    expect([...lastingKeys(passage([['x', 'a'], ['a', 'b'], ['b', 'a'], ['a']]))]).toEqual(['a'])
    expect(lastingKeys({ ...passage([]), texts: [text(['a']), text(['a'])] }).size).toBe(0)
  })

  it('is known from whole sentences: one that was cut says nothing', () => {
    const [long, next] = ['x'.repeat(1_500), 'y'.repeat(499)]
    expect(excerptsOf(text([long, next]))).toEqual([long])
    expect(excerptsOf(text([long, next.slice(1)]))).toEqual([long, next.slice(1)])
  })
})
