import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { boundedComparer } from '../../src/terms/compare/changes-rules.ts'
import type { Unit } from '../../src/terms/normalize/units-rules.ts'
import { learn } from '../../src/terms/volatile/learn-rules.ts'
import type { Place, Volatility } from '../../src/terms/volatile/schema.ts'
import { letters, unit } from './units.ts'

const HOUR = 3_600_000
const NOW = '2026-01-10T00:00:00.000Z' as Instant
const EARLIER = plus(NOW, -6 * HOUR)
const TIME = { at: NOW, confirmMs: 24 * HOUR }
const NOWHERE = { before: '?', after: '?' }
const NOTHING = { places: [] }

const idsOf = (units: Unit[]) => units.map(({ id }) => id)
const text = (keys: string) => ({ keys: [...keys], excerpt: keys, since: EARLIER, fetches: 1 })
/** A place that had texts of one letter each, and changed twice before they were confirmed. */
const watched = (inForce: string, more: Partial<Place> = {}): Place => ({
  inForce: idsOf(letters(inForce)),
  around: NOWHERE,
  aroundLatest: NOWHERE,
  texts: [text('p')],
  transient: 1,
  ...more,
})
const volatile = (inForce: string, more: Partial<Place> = {}) =>
  watched(inForce, { transient: 3, volatileSince: EARLIER, ...more })
const learned = (places: Place[], current: Unit[], fetched: Unit[]) =>
  learn({ places }, current, fetched, TIME, boundedComparer())
const ofLetters = (places: Place[], current: string, fetched: string) =>
  learned(places, letters(current), letters(fetched))
/** The newest text of each place. */
const newest = ({ places }: Volatility) => places.map(({ texts }) => texts.at(-1)!.keys.join(''))

describe('what a fetch teaches', () => {
  it('is nothing when the text is that in force', () => {
    expect(ofLetters([], 'abc', 'abc')).toEqual({ volatility: NOTHING, currentLeftOut: [], leftOut: [] })
  })

  it('is nothing new when the comparison costs too much', () => {
    const known = { places: [volatile('b')] }
    expect(learn(known, letters('abc'), letters('axc'), TIME, () => undefined)).toEqual({
      volatility: known,
      currentLeftOut: [],
      leftOut: [],
    })
  })

  it('is where it differs, which is compared all the same', () => {
    const { volatility, ...leftOut } = ofLetters([], 'abc', 'axc')
    expect(leftOut).toEqual({ currentLeftOut: [], leftOut: [] })
    expect(volatility.places).toEqual([
      {
        inForce: ['id of b'],
        around: { before: 'a', after: 'c' },
        aroundLatest: { before: 'a', after: 'c' },
        texts: [
          { keys: ['b'], excerpt: 'b', since: '', fetches: 2 },
          { keys: ['x'], excerpt: 'x', since: NOW, fetches: 1 },
        ],
        isPool: false,
        transient: 0,
        volatileSince: undefined,
      },
    ])
  })

  it('is a place for each difference', () => {
    expect(newest(ofLetters([], 'abcde', 'axcye').volatility)).toEqual(['x', 'y'])
  })

  it('is what is beside a place in the text in force and in the fetched one', () => {
    const places = ofLetters([], '-ab--', '-xyz--').volatility.places
    expect(places[0]).toMatchObject({
      around: { before: '-', after: '-' },
      aroundLatest: { before: '-', after: '-' },
    })
    const apart = ofLetters([volatile('bc')], 'abcd', 'aQxyRd').volatility.places
    expect(apart[0]!.around).toEqual({ before: 'a', after: 'd' })
    expect(apart[0]!.aroundLatest).toEqual({ before: 'a', after: 'd' })
  })

  it('is nothing about what is beside a place that has no text now', () => {
    const latest = { before: 'm', after: 'n' }
    const [place] = ofLetters([volatile('b', { aroundLatest: latest })], 'abc', 'ac').volatility.places
    expect(place).toMatchObject({ around: { before: 'a', after: 'c' }, aroundLatest: latest })
  })
})

describe('a place that changes at nearly every fetch', () => {
  it('is left out of both texts, after the third text that went before it was confirmed', () => {
    const twice = watched('b', { transient: 2 })
    expect(ofLetters([twice], 'abcdef', 'axcdef')).toMatchObject({
      currentLeftOut: ['id of b'],
      leftOut: ['id of x'],
    })
    expect(ofLetters([watched('b')], 'abcdef', 'axcdef')).toMatchObject({ currentLeftOut: [], leftOut: [] })
  })

  it('is left out when it has the text in force', () => {
    expect(ofLetters([volatile('b')], 'abcdef', 'abcdef')).toMatchObject({
      currentLeftOut: ['id of b'],
      leftOut: ['id of b'],
    })
    const beside = ofLetters([volatile('b')], 'abcdef', 'abcdx')
    expect(beside).toMatchObject({ currentLeftOut: ['id of b'], leftOut: ['id of b'] })
    expect(newest(beside.volatility)).toEqual(['b', 'x'])
    expect(ofLetters([volatile('e')], 'abcdef', 'xycdef')).toMatchObject({ leftOut: ['id of e'] })
  })

  it('shows what is beside it', () => {
    const { leftOut, currentLeftOut, volatility } = ofLetters([volatile('b')], 'abcdef', 'axcyef')
    expect({ leftOut, currentLeftOut }).toEqual({ leftOut: ['id of x'], currentLeftOut: ['id of b'] })
    expect(newest(volatility)).toEqual(['x', 'y'])
  })

  it('is found by what is beside it when the text in force is another', () => {
    const place = volatile('q', { around: { before: 'a', after: 'c' } })
    expect(ofLetters([place], 'abcdef', 'axcdef')).toMatchObject({
      currentLeftOut: ['id of b'],
      leftOut: ['id of x'],
    })
  })

  it('is forgotten when nothing tells where it is', () => {
    expect(ofLetters([volatile('q')], 'abcdef', 'abcdef').volatility).toEqual(NOTHING)
    expect(newest(ofLetters([volatile('q'), volatile('b')], 'abcdef', 'abcdef').volatility)).toEqual(['b'])
  })

  it('is forgotten when its text has stayed for two confirmation delays and four fetches', () => {
    const since = plus(NOW, -48 * HOUR)
    const stable = volatile('b', { texts: [{ keys: ['x'], excerpt: 'x', since, fetches: 3 }] })
    expect(ofLetters([stable], 'abcdef', 'axcdef')).toEqual({
      volatility: NOTHING,
      currentLeftOut: [],
      leftOut: [],
    })
  })

  it('is one place when two overlap', () => {
    const overlapping = [volatile('bc'), volatile('cd')]
    expect(ofLetters(overlapping, 'abcdef', 'abcdef').volatility.places.map(({ inForce }) => inForce)).toEqual([
      ['id of b', 'id of c'],
    ])
    expect(ofLetters([...overlapping].reverse(), 'abcdef', 'abcdef').volatility.places).toHaveLength(1)
    expect(ofLetters([volatile('bc'), volatile('b')], 'abcdef', 'abcdef').volatility.places[0]!.inForce).toEqual([
      'id of b',
    ])
  })

  it('stays apart from the place right before it', () => {
    expect(newest(ofLetters([volatile('cd'), volatile('b')], 'abcdef', 'abcdef').volatility)).toEqual(['b', 'cd'])
    const empty = volatile('', { around: { before: 'b', after: 'c' } })
    expect(newest(ofLetters([volatile('b'), empty], 'abcdef', 'abcdef').volatility)).toEqual(['b'])
  })

  it('belongs to the difference that touches it first', () => {
    const { volatility } = ofLetters([volatile('bcd')], 'abcdefgh', 'axcyefgh')
    expect(newest(volatility)).toEqual(['xcy'])
  })
})

describe('the bounds of a place', () => {
  const many = (count: number, name: string) => Array.from({ length: count }, (_, i) => unit(`${name}${i}`))
  const long = (name: string, words: number) => ({ ...unit(name), words })

  it('are 40 sentences, in the text in force and in the fetched one', () => {
    const count = (went: number, came: number) =>
      learned([], [unit('-'), ...many(went, 'a')], [unit('-'), ...many(came, 'b')]).volatility.places.length
    expect([count(40, 40), count(41, 1), count(1, 41)]).toEqual([1, 0, 0])
  })

  it('are 300 words, in the text in force and in the fetched one', () => {
    const count = (went: number, came: number) =>
      learned([], [unit('-'), long('a', went)], [unit('-'), long('b', came)]).volatility.places.length
    expect([count(300, 300), count(301, 1), count(1, 301)]).toEqual([1, 0, 0])
  })

  it('are half of the words of a text: of more, nothing is left out', () => {
    const share = (currentWords: number, fetchedWords: number) => {
      const known = [volatile('b')]
      const { currentLeftOut, leftOut, volatility } = learned(
        known,
        [long('a', 10), long('b', currentWords)],
        [long('a', 10), long('x', fetchedWords)],
      )
      return [currentLeftOut.length, leftOut.length, volatility.places.length]
    }
    expect([share(10, 10), share(11, 10), share(10, 11)]).toEqual([
      [1, 1, 1],
      [0, 0, 1],
      [0, 0, 1],
    ])
  })

  it('are 40 places of a document, the volatile ones first', () => {
    const units = many(90, 'a')
    const places = units
      .filter((_, i) => i % 2 === 1)
      .map((one, i) => ({
        ...(i < 43 ? watched('', { transient: 1 }) : volatile('')),
        inForce: [one.id],
      }))
    const kept = learned(places, units, units).volatility.places
    expect(kept).toHaveLength(40)
    expect(kept.slice(0, 3).map(({ inForce }) => inForce[0])).toEqual(['id of a87', 'id of a89', 'id of a1'])
  })
})

describe('a list whose entries take turns', () => {
  const orders = ['abc', 'bca'].map(text)
  const list = volatile('abc', { texts: orders })

  it('is compared as a set: what both texts have is left out', () => {
    expect(ofLetters([list], '-abc=+*', '-cab=+*')).toMatchObject({
      currentLeftOut: ['id of a', 'id of b', 'id of c'],
      leftOut: ['id of c', 'id of a', 'id of b'],
    })
  })

  it('shows an entry that came and one that went', () => {
    const changed = volatile('abc', { texts: [...orders.map((known) => ({ ...known, keys: ['b', 'c', 'x'] }))] })
    expect(ofLetters([changed], '-abc=+*', '-cbx=+*')).toMatchObject({
      currentLeftOut: ['id of b', 'id of c'],
      leftOut: ['id of c', 'id of b'],
    })
  })

  it('shows an entry that is there twice now', () => {
    const again = { ...unit('c'), id: 'second c' }
    const texts = orders.map((known) => ({ ...known, keys: ['b', 'c', 'c'] }))
    const fetched = [...letters('-cb'), again, ...letters('=+*')]
    expect(learned([volatile('abc', { texts })], letters('-abc=+*'), fetched)).toMatchObject({
      currentLeftOut: ['id of b', 'id of c'],
      leftOut: ['id of c', 'id of b'],
    })
  })
})

describe('a sentence that was added in a volatile place', () => {
  it('is compared when it stays while the rest of the place changes', () => {
    const texts = ['ps', 'qs'].map(text)
    expect(ofLetters([volatile('b', { texts })], 'abcdef', 'arscdef')).toMatchObject({
      currentLeftOut: ['id of b'],
      leftOut: ['id of r'],
    })
  })
})

describe('a sentence in which only a number varies', () => {
  const sentence = (count: number) => `So far ${count} people have read this page`
  const excerpts = (...texts: string[]) => texts.map((excerpt) => ({ ...text(excerpt[7]!), excerpt }))
  const beside = ['one two three four five', 'six seven eight nine ten'].map(unit)
  const place = (more: Partial<Place> = {}): Place => ({
    ...volatile(''),
    inForce: [unit(sentence(1)).id],
    texts: excerpts(sentence(2), sentence(3)),
    ...more,
  })
  const fetched = (known: Place, ...now: string[]) => {
    const { currentLeftOut, leftOut } = learned(
      [known],
      [beside[0]!, unit(sentence(1)), beside[1]!],
      [beside[0]!, ...now.map(unit), beside[1]!],
    )
    return { currentLeftOut, leftOut }
  }

  it('is left out but for its other words', () => {
    expect(fetched(place(), sentence(4))).toEqual({
      currentLeftOut: [`id of ${sentence(1)}#2`],
      leftOut: [`id of ${sentence(4)}#2`],
    })
  })

  it('is left out as a whole when other words vary too', () => {
    const texts = excerpts('So far 2 people have read this page', 'Until now 3 guests saw it')
    expect(fetched(place({ texts }), sentence(4))).toEqual({
      currentLeftOut: [`id of ${sentence(1)}`],
      leftOut: [`id of ${sentence(4)}`],
    })
  })

  it('is left out as a whole when another sentence came with it, or it went', () => {
    expect(fetched(place(), sentence(4), 'Thank you')).toEqual({
      currentLeftOut: [`id of ${sentence(1)}`],
      leftOut: [`id of ${sentence(4)}`, 'id of Thank you'],
    })
    expect(fetched(place())).toEqual({ currentLeftOut: [`id of ${sentence(1)}`], leftOut: [] })
  })
})
