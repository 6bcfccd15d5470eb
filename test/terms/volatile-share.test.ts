import { describe, expect, it } from 'vitest'
import type { Unit } from '../../src/terms/normalize/units-rules.ts'
import type { Region } from '../../src/terms/volatile/moves-rules.ts'
import { type Found, share } from '../../src/terms/volatile/share-rules.ts'
import { letters, unit } from './units.ts'

const NOWHERE = { before: '?', after: '?' }
/** A place that is known already, over a range of the text in force. */
const known = (from: number, to: number, isVolatile = false): Found => ({
  place: {
    inForce: [],
    around: NOWHERE,
    aroundLatest: NOWHERE,
    texts: [],
    transient: 0,
    volatileSince: isVolatile ? '2026-01-01T00:00:00.000Z' : undefined,
  },
  from,
  to,
  units: [],
})
const volatile = (from: number, to: number) => known(from, to, true)

/** Shares a difference, and returns the known places and the new ones as `range: what the fetched text has there`. */
function shared(region: Region, touched: Found[], current: Unit[], fetched: Unit[]) {
  const added = share(region, touched, current, fetched)
  const shown = (places: Found[]) =>
    places.map(
      ({ from, to, units, isAbsorbed }) =>
        `${from}-${to}: ${units.map(({ text }) => text).join(',')}${isAbsorbed ? ' absorbed' : ''}`,
    )
  return { known: shown(touched), added: shown(added) }
}
const ofLetters = (region: Region, touched: Found[], current: string, fetched: string) =>
  shared(region, touched, letters(current), letters(fetched))
const region = (from: number, to: number, otherFrom: number, otherTo: number, moved = false): Region => ({
  from,
  to,
  otherFrom,
  otherTo,
  moved,
})

describe('a difference that touches no known place', () => {
  it('is one place to watch where units went and came', () => {
    expect(ofLetters(region(1, 3, 1, 2), [], '-ab-', '-x-').added).toEqual(['1-3: x'])
    expect(ofLetters(region(1, 3, 1, 1), [], '-ab-', '--').added).toEqual(['1-3: '])
    expect(ofLetters(region(1, 1, 1, 3), [], '--', '-xy-').added).toEqual(['1-1: x,y'])
  })

  it('is a place for each sentence that was reworded', () => {
    const current = ['-', 'rain falls today', 'sun shines today', '-'].map(unit)
    const fetched = ['-', 'rain fell today', 'sun shone today', '-'].map(unit)
    expect(shared(region(1, 3, 1, 3), [], current, fetched).added).toEqual([
      '1-2: rain fell today',
      '2-3: sun shone today',
    ])
  })

  it('is a place for what came before, between and after sentences that stayed', () => {
    const current = ['-', 'rain falls today', 'q', 'sun shines today', '-'].map(unit)
    const fetched = ['-', 'a', 'b', 'rain falls today', 'c', 'sun shines today', 'd', '-'].map(unit)
    expect(shared(region(1, 4, 1, 7), [], current, fetched).added).toEqual(['1-1: a,b', '2-3: c', '4-4: d'])
  })

  it('is no place when it has more than 80 units', () => {
    const many = (count: number, name: string) => Array.from({ length: count }, (_, i) => unit(`${name}${i}`))
    const added = (went: number, came: number) =>
      shared(region(0, went, 0, came), [], many(went, 'a'), many(came, 'b')).added.length
    expect([added(80, 80), added(81, 1), added(1, 81)]).toEqual([1, 0, 0])
  })

  it('knows what the text in force has there, and what is beside it', () => {
    const [found] = share(region(1, 3, 1, 2), [], letters('AbcD'), letters('AxD'))
    expect(found!.place).toEqual({
      inForce: ['id of b', 'id of c'],
      around: { before: 'a', after: 'd' },
      aroundLatest: { before: 'a', after: 'd' },
      texts: [{ keys: ['b', 'c'], excerpt: 'b\nc', since: '', fetches: 2 }],
      transient: 0,
    })
  })

  it('remembers the first 2,000 characters of what was there', () => {
    const [found] = share(region(0, 2, 0, 0), [], ['x'.repeat(1_400), 'y'.repeat(1_400)].map(unit), [])
    expect(found!.place.texts[0]!.excerpt).toBe(`${'x'.repeat(1_400)}\n${'y'.repeat(599)}`)
  })
})

describe('a difference that touches a known place', () => {
  it('gives it what the fetched text has there', () => {
    expect(ofLetters(region(1, 2, 1, 3), [volatile(1, 2)], '-a-', '-xy-')).toEqual({ known: ['1-2: x,y'], added: [] })
    expect(ofLetters(region(1, 1, 1, 2), [volatile(1, 1)], '--', '-x-')).toEqual({ known: ['1-1: x'], added: [] })
    expect(ofLetters(region(1, 2, 1, 1), [volatile(1, 2)], '-a-', '--')).toEqual({ known: ['1-2: '], added: [] })
  })

  it('gives it the units that stayed in it too', () => {
    expect(ofLetters(region(2, 3, 2, 3), [volatile(1, 4)], '-abc-', '-axc-').known).toEqual(['1-4: a,x,c'])
    expect(ofLetters(region(2, 2, 2, 3), [volatile(1, 3)], '-ab--', '-axb--').known).toEqual(['1-3: a,x,b'])
  })

  it('gives a reworded sentence to the place that has it', () => {
    const current = ['rain falls today', 'sun shines today'].map(unit)
    const fetched = ['rain fell today', 'sun shone today'].map(unit)
    expect(shared(region(0, 2, 0, 2), [volatile(1, 2)], current, fetched)).toEqual({
      known: ['1-2: sun shone today'],
      added: ['0-1: rain fell today'],
    })
    expect(shared(region(0, 2, 0, 2), [volatile(0, 1)], current, fetched)).toEqual({
      known: ['0-1: rain fell today'],
      added: ['1-2: sun shone today'],
    })
  })

  it('watches the units beside the place that went with its own', () => {
    expect(ofLetters(region(1, 4, 1, 2), [volatile(2, 3)], '-abc-', '-x-')).toEqual({
      known: ['2-3: x'],
      added: ['1-4: '],
    })
    expect(ofLetters(region(1, 4, 1, 2), [volatile(1, 2)], '-abc-', '-x-')).toEqual({
      known: ['1-2: x'],
      added: ['2-4: '],
    })
    expect(ofLetters(region(1, 4, 1, 2), [volatile(3, 4)], '-abc-', '-x-')).toEqual({
      known: ['3-4: x'],
      added: ['1-3: '],
    })
  })

  it('gives what came to a volatile place rather than to one that is watched', () => {
    expect(ofLetters(region(1, 3, 1, 2), [known(1, 2), volatile(2, 3)], '-ab-', '-x-').known).toEqual([
      '1-2: ',
      '2-3: x',
    ])
    expect(ofLetters(region(1, 3, 1, 2), [volatile(1, 2), known(2, 3)], '-ab-', '-x-').known).toEqual([
      '1-2: x',
      '2-3: ',
    ])
    expect(ofLetters(region(1, 3, 1, 2), [known(1, 2), known(2, 3)], '-ab-', '-x-').known).toEqual(['1-2: x', '2-3: '])
  })

  it('gives what came beside a volatile place to it, and watches it beside any other', () => {
    const beside = (place: Found) => {
      const current = ['q', 'rain falls today'].map(unit)
      const fetched = ['x', 'rain fell today'].map(unit)
      return shared(region(0, 2, 0, 2), [place], current, fetched)
    }
    expect(beside(volatile(1, 2))).toEqual({ known: ['1-2: x,rain fell today'], added: ['0-1: '] })
    expect(beside(known(1, 2))).toEqual({ known: ['1-2: rain fell today'], added: ['0-1: x'] })
  })

  it('gives nothing to a place that is not beside what came', () => {
    const current = ['q', 'rain falls today', 'sun shines today', 'r'].map(unit)
    const fetched = ['x', 'rain fell today', 'sun shone today', 'y'].map(unit)
    expect(shared(region(0, 4, 0, 4), [volatile(2, 3)], current, fetched)).toEqual({
      known: ['2-3: sun shone today,y'],
      added: ['0-1: x', '1-2: rain fell today', '3-4: '],
    })
    expect(shared(region(0, 4, 0, 4), [volatile(1, 2)], current, fetched)).toEqual({
      known: ['1-2: x,rain fell today'],
      added: ['0-1: ', '2-3: sun shone today', '3-4: y'],
    })
  })

  it('gives what came to the place between two sentences that is empty so far', () => {
    const current = ['rain falls today', 'sun shines today'].map(unit)
    const fetched = ['rain fell today', 'x', 'sun shone today'].map(unit)
    const all = ['0-1: rain fell today', '1-2: sun shone today']
    expect(shared(region(0, 2, 0, 3), [known(1, 1)], current, fetched)).toEqual({ known: ['1-1: x'], added: all })
    expect(shared(region(0, 2, 0, 3), [known(0, 0)], current, fetched)).toEqual({
      known: ['0-0: '],
      added: [all[0], '1-1: x', all[1]],
    })
    expect(shared(region(0, 2, 0, 3), [known(2, 2)], current, fetched).known).toEqual(['2-2: '])
  })
})

describe('a list whose entries only moved', () => {
  const moved = (touched: Found[], from = 1, to = 4) =>
    ofLetters(region(from, to, from, to, true), touched, '-abc-', '-bca-')

  it('is one place to watch', () => {
    expect(moved([])).toEqual({ known: [], added: ['1-4: b,c,a'] })
  })

  it('is the place that covers it', () => {
    expect(moved([volatile(1, 4)])).toEqual({ known: ['1-4: b,c,a'], added: [] })
  })

  it('is the largest of the places in it, and the others become part of that', () => {
    expect(moved([known(1, 2), known(2, 4)])).toEqual({ known: ['1-2:  absorbed', '1-4: b,c,a'], added: [] })
    expect(moved([known(1, 3), known(3, 4)])).toEqual({ known: ['1-4: b,c,a', '3-4:  absorbed'], added: [] })
  })

  it('is no place of its own when a volatile place is only a part of it', () => {
    expect(moved([volatile(1, 2)]).known).not.toEqual(['1-4: b,c,a'])
    expect(moved([volatile(3, 4)]).known).not.toEqual(['1-4: b,c,a'])
    expect(moved([volatile(2, 3), known(1, 2)])).not.toHaveProperty('known.1', '1-4: b,c,a')
  })

  it('has at most 40 entries', () => {
    const many = Array.from({ length: 41 }, (_, i) => unit(`entry${i}`))
    const turned = (units: Unit[]) => [...units.slice(1), units[0]!]
    const all = (units: Unit[]) =>
      shared(region(0, units.length, 0, units.length, true), [], units, turned(units)).added
    expect(all(many.slice(1))).toHaveLength(1)
    expect(all(many)).toEqual(['0-1: ', '41-41: entry0'])
  })
})
