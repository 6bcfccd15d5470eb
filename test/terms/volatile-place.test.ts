import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { afterFetch, isReordered, lastingUnits, locate, neighboursOf } from '../../src/terms/volatile/place-rules.ts'
import type { Place } from '../../src/terms/volatile/schema.ts'
import { letters, unit } from './units.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = '2026-01-01T00:00:00.000Z' as Instant
const at = (days: number): Instant => plus(START, days * DAY)

type PlaceText = Place['texts'][number]
/** A text that a place had, as the keys of its units, from a day on. */
const text = (keys: string, sinceDay: number, more: Partial<PlaceText> = {}): PlaceText => ({
  keys: [...keys],
  excerpt: keys,
  since: at(sinceDay),
  fetches: 1,
  ...more,
})
const EDGES = { before: '\n', after: '\n' }
const place = (more: Partial<Place> = {}): Place => ({
  inForce: [],
  around: EDGES,
  aroundLatest: EDGES,
  texts: [],
  transient: 0,
  ...more,
})

describe('the neighbours of a place', () => {
  const units = letters('abcd')

  it('are the units right before and after it', () => {
    expect(neighboursOf(units, 1, 3)).toEqual({ before: 'a', after: 'd' })
    expect(neighboursOf(units, 2, 2)).toEqual({ before: 'b', after: 'c' })
  })

  it('are the beginning and the end of the text where it has none', () => {
    expect(neighboursOf(units, 0, 4)).toEqual({ before: '\n', after: '\n' })
  })

  it('are remembered by their first 200 characters', () => {
    const long = unit('x'.repeat(300))
    expect(neighboursOf([long, long], 1, 1)).toEqual({ before: 'x'.repeat(200), after: 'x'.repeat(200) })
  })
})

describe('a place in another text in force', () => {
  const located = (text: string, more: Partial<Place>) => locate(place(more), letters(text))
  const missing = { before: '?', after: '?' }
  const ids = (keys: string) => letters(keys).map(({ id }) => id)

  it('is where its own units are', () => {
    const elsewhere = { around: missing, aroundLatest: missing }
    expect(located('abcde', { inForce: ids('bcd'), ...elsewhere })).toEqual([1, 4])
    expect(located('bcd', { inForce: ids('bcd'), ...elsewhere })).toEqual([0, 3])
    expect(located('abxde', { inForce: ids('bcd'), ...elsewhere })).toBeUndefined()
    expect(located('xyz', { inForce: ids('bcd'), ...elsewhere })).toBeUndefined()
  })

  it('is between its neighbours where its units changed', () => {
    const around = { before: 'a', after: 'e' }
    expect(located('-axye-', { inForce: ids('bcd'), around, aroundLatest: missing })).toEqual([2, 4])
    expect(located('-ae-', { around, aroundLatest: missing })).toEqual([2, 2])
    expect(located('-ea-', { around, aroundLatest: missing })).toBeUndefined()
    expect(located('-a-', { around, aroundLatest: missing })).toBeUndefined()
    expect(located('-e-', { around, aroundLatest: missing })).toBeUndefined()
  })

  it('is between the neighbours of its newest fetch where those of the text in force went', () => {
    expect(located('-axe-', { around: missing, aroundLatest: { before: 'a', after: 'e' } })).toEqual([2, 3])
  })

  it('is at the beginning or the end where it had nothing beside it', () => {
    const found = (text: string, before: string, after: string) =>
      located(text, { around: { before, after }, aroundLatest: missing })
    expect(found('xyab', '\n', 'a')).toEqual([0, 2])
    expect(found('abxy', 'b', '\n')).toEqual([2, 4])
    expect(found('abxy', 'y', '\n')).toEqual([4, 4])
    expect(found('abc', '\n', '\n')).toEqual([0, 3])
    expect(found('xyab', '\n', '?')).toBeUndefined()
  })

  it('has at most twelve units between its neighbours', () => {
    const around = { before: 'a', after: 'z' }
    expect(located(`a${'-'.repeat(12)}z`, { around, aroundLatest: missing })).toEqual([1, 13])
    expect(located(`a${'-'.repeat(13)}z`, { around, aroundLatest: missing })).toBeUndefined()
    expect(located('-'.repeat(13), { around: EDGES, aroundLatest: missing })).toBeUndefined()
  })

  it('is after a later unit like its neighbour where the first is too far away', () => {
    const around = { before: 'a', after: 'z' }
    expect(located(`a${'-'.repeat(13)}axz`, { around, aroundLatest: missing })).toEqual([15, 16])
  })
})

describe('a place whose text is fetched again', () => {
  const time = (days: number) => ({ at: at(days), confirmMs: DAY })
  const fetched = (known: Place, keys: string, days: number) => afterFetch(known, letters(keys), time(days))

  it('counts the fetches of one text and remembers when it was there last', () => {
    expect(fetched(place({ texts: [text('q', 0), text('ab', 0.5)] }), 'ab', 0.75)).toEqual(
      place({ texts: [text('q', 0), text('ab', 0.5, { fetches: 2, lastAt: at(0.75) })] }),
    )
  })

  it('is no longer transient once its text is confirmed', () => {
    const changed = place({ texts: [text('a', 0)], transient: 2 })
    expect(fetched(changed, 'a', 0.9)).toMatchObject({ transient: 2 })
    expect(fetched(changed, 'a', 1)).toMatchObject({ transient: 0 })
  })

  it('is no longer transient when the text in force, which was there before, is back', () => {
    const changed = place({ texts: [text('a', 0, { since: '', fetches: 2 })], transient: 2 })
    expect(fetched(changed, 'a', 0.1)).toMatchObject({ transient: 0 })
  })

  it('is forgotten when it was only watched and its text stays for 14 days', () => {
    const watched = place({ texts: [text('a', 0)] })
    expect(fetched(watched, 'a', 13.9)).toBeDefined()
    expect(fetched(watched, 'a', 14)).toBeUndefined()
    const before = place({ texts: [text('a', 0, { since: '', fetches: 2 })] })
    expect(fetched(before, 'a', 100)).toBeDefined()
  })

  it('is compared again when it was volatile and its text stays for two delays and four fetches', () => {
    const volatile = (fetches: number) =>
      place({ texts: [text('a', 0, { fetches })], volatileSince: at(0), transient: 3 })
    expect(fetched(volatile(3), 'a', 1.9)).toMatchObject({ volatileSince: at(0), transient: 3 })
    expect(fetched(volatile(2), 'a', 2)).toMatchObject({ volatileSince: at(0), transient: 3 })
    expect(fetched(volatile(3), 'a', 2)).toBeUndefined()
    expect(fetched(volatile(1), 'a', 1)).toMatchObject({ volatileSince: at(0), transient: 3 })
  })
})

describe('a place whose text is another', () => {
  const time = (days: number) => ({ at: at(days), confirmMs: DAY })
  const fetched = (known: Place, keys: string, days: number) => afterFetch(known, letters(keys), time(days))

  it('remembers the text, and since when it is there', () => {
    const known = place({ texts: [text('a', 0)] })
    expect(fetched(known, 'BC', 0.25)).toEqual(
      place({
        texts: [text('a', 0), { keys: ['b', 'c'], excerpt: 'B\nC', since: at(0.25), fetches: 1 }],
        isPool: false,
        transient: 1,
      }),
    )
  })

  it('is another one when a unit came or went', () => {
    expect(fetched(place({ texts: [text('a', 0)] }), 'ab', 0.25)!.texts).toHaveLength(2)
    expect(fetched(place({ texts: [text('ab', 0)] }), 'a', 0.25)!.texts).toHaveLength(2)
    expect(fetched(place({ texts: [text('ab', 0)] }), 'ac', 0.25)!.texts).toHaveLength(2)
  })

  it('is volatile after the third text in a row that went before it was confirmed', () => {
    const once = fetched(place({ texts: [text('a', 0)], transient: 1 }), 'b', 0.25)!
    expect(once).toMatchObject({ transient: 2, volatileSince: undefined })
    expect(fetched(once, 'c', 0.5)).toMatchObject({ transient: 3, volatileSince: at(0.5) })
  })

  it('is volatile since the first time', () => {
    const volatile = place({ texts: [text('a', 0)], transient: 5, volatileSince: at(-3) })
    expect(fetched(volatile, 'b', 0.25)).toMatchObject({ transient: 6, volatileSince: at(-3) })
  })

  it('starts to count anew when a text stayed until it could be confirmed', () => {
    const stayed = (until: number, fetches = 2) =>
      place({ texts: [text('a', 0, { fetches, lastAt: at(until) })], transient: 2 })
    expect(fetched(stayed(1), 'b', 1.25)).toMatchObject({ transient: 0, volatileSince: undefined })
    expect(fetched(stayed(0.75), 'b', 1)).toMatchObject({ transient: 3, volatileSince: at(1) })
    expect(fetched(place({ transient: 2 }), 'b', 1)).toMatchObject({ transient: 0 })
  })

  it('does not start anew after a text that was fetched once, however long ago', () => {
    expect(fetched(place({ texts: [text('a', 0)], transient: 2 }), 'b', 9)).toMatchObject({ transient: 3 })
    const once = text('a', 0, { since: '' })
    expect(fetched(place({ texts: [once], transient: 2 }), 'b', 9)).toMatchObject({ transient: 3 })
  })

  it('remembers six texts, of 2,000 characters', () => {
    const texts = [...'abcdef'].map((keys, i) => text(keys, i))
    const next = afterFetch(place({ texts }), [unit('x'.repeat(1_400)), unit('y'.repeat(1_400))], time(9))!
    expect(next.texts.map(({ excerpt }) => excerpt[0])).toEqual([...'bcdefx'])
    expect(next.texts.at(-1)!.excerpt).toBe(`${'x'.repeat(1_400)}\n${'y'.repeat(599)}`)
  })

  it('is drawn from a pool when a text is back that another had replaced', () => {
    const known = place({ texts: [text('a', 0), text('b', 1)] })
    expect(fetched(known, 'a', 2)).toMatchObject({ isPool: true })
    expect(fetched(known, 'xa', 2)).toMatchObject({ isPool: true })
    expect(fetched(known, 'c', 2)).toMatchObject({ isPool: false })
    expect(fetched({ ...known, isPool: true }, 'c', 2)).toMatchObject({ isPool: true })
  })

  it('is no pool because of a unit that stayed while others changed', () => {
    const known = place({ texts: [text('sa', 0), text('sb', 1)] })
    expect(fetched(known, 'sc', 2)).toMatchObject({ isPool: false })
    expect(fetched(place({ texts: [text('s', 0)] }), 'st', 2)).toMatchObject({ isPool: false })
    expect(fetched(place(), 's', 2)).toMatchObject({ isPool: false })
  })
})

describe('a place whose texts are one list in several orders', () => {
  const reordered = (...texts: string[]) => isReordered(place({ texts: texts.map((keys, i) => text(keys, i)) }))

  it('is known after three of them', () => {
    expect(reordered('abc', 'bca', 'cab')).toBe(true)
    expect(reordered('xyz', 'abc', 'bca', 'cab')).toBe(true)
    expect(reordered('abc', 'bca')).toBe(false)
  })

  it('has the same entries each time, and more than one', () => {
    expect(reordered('abc', 'bca', 'abd')).toBe(false)
    expect(reordered('abd', 'abc', 'bca')).toBe(false)
    expect(reordered('abc', 'ab', 'ba')).toBe(false)
    expect(reordered('ab', 'ba', 'abc')).toBe(false)
    expect(reordered('a', 'a', 'a')).toBe(false)
  })
})

describe('what stays in a volatile place while the rest changes', () => {
  const lasting = (more: Partial<Place>, units: string, ...texts: string[]) =>
    [...lastingUnits(place({ texts: texts.map((keys, i) => text(keys, i)), ...more }), letters(units))].map(
      ({ key }) => key,
    )
  const inForce = (keys: string) => ({ inForce: letters(keys).map(({ id }) => id) })

  it('is a sentence that three texts in a row have', () => {
    expect(lasting({}, 'cs', 'as', 'bs', 'cs')).toEqual(['s'])
    expect(lasting({}, 'ds', 'a', 'bs', 'cs', 'ds')).toEqual(['s'])
    expect(lasting({}, 'cs', 'a', 'bs', 'cs')).toEqual([])
    expect(lasting({}, 'bs', 'as', 'bs')).toEqual([])
  })

  it('is not what the text in force has there', () => {
    expect(lasting(inForce('s'), 'cs', 'as', 'bs', 'cs')).toEqual([])
    expect(lasting(inForce('x'), 'cs', 'as', 'bs', 'cs')).toEqual(['s'])
  })

  it('is in six texts of a place that is drawn from a pool', () => {
    const pool = { isPool: true }
    expect(lasting(pool, 'cs', 'as', 'bs', 'cs')).toEqual([])
    expect(lasting(pool, 'fs', 'as', 'bs', 'cs', 'ds', 'es', 'fs')).toEqual(['s'])
  })
})
