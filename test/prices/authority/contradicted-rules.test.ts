import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { CONTRADICTED_AFTER_MS, contradictedLines } from '../../../src/prices/contradicted/contradicted-rules.ts'
import type { Contradiction } from '../../../src/prices/contradicted/schema.ts'

const at = (day: number) => `2026-03-0${day}T00:00:00.000Z` as Instant
const by = (source: string, price: string, more: Partial<Contradiction['other']> = {}): Contradiction => ({
  lineId: '1',
  source: 'list',
  price: '1',
  isDecided: false,
  other: {
    source,
    format: source,
    price,
    since: at(1),
    isBetter: false,
    canDecide: true,
    decides: false,
    place: 5,
    ...more,
  },
})

describe('a line is contradicted', () => {
  it('after 48 hours', () => {
    expect(CONTRADICTED_AFTER_MS).toBe(48 * 60 * 60 * 1_000)
  })

  it('apart from other lines', () => {
    const other = (one: Contradiction) => ({ ...one, lineId: '2' })
    const found = [by('a', '2'), other(by('b', '2')), by('b', '2'), other(by('c', '2'))]
    expect(contradictedLines(found)).toMatchObject([
      { lineId: '1', sources: ['a', 'b'] },
      { lineId: '2', sources: ['b', 'c'] },
    ])
    expect(contradictedLines([by('a', '2'), other(by('b', '2'))])).toEqual([])
  })
  it('by two sources of different formats that agree, of which the first decides', () => {
    const found = [by('b', '2', { place: 2, since: at(3) }), by('a', '2', { place: 1 }), by('c', '3', { place: 0 })]
    expect(contradictedLines(found)).toEqual([
      {
        ...{ lineId: '1', source: 'list', price: '1', otherPrice: '2', sources: ['a', 'b'] },
        ...{ since: at(3), decidedBy: 'a' },
      },
    ])
  })

  it('by a better source alone, whatever others agree on', () => {
    const found = [by('page', '4', { isBetter: true, place: 0 }), by('a', '2'), by('b', '2')]
    expect(contradictedLines(found)).toMatchObject([{ otherPrice: '4', sources: ['page'], decidedBy: 'page' }])
  })

  it('by the price that most agree on', () => {
    const found = [by('a', '2'), by('b', '2'), by('c', '3'), by('d', '3'), by('e', '3')]
    expect(contradictedLines(found)).toMatchObject([{ otherPrice: '3', sources: ['c', 'd', 'e'] }])
    expect(contradictedLines(found.toReversed())).toMatchObject([{ otherPrice: '3', sources: ['e', 'd', 'c'] }])
    const tied = [
      by('c', '3', { place: 2 }),
      by('d', '3', { place: 3 }),
      by('a', '2', { place: 0 }),
      by('b', '2', { place: 1 }),
    ]
    expect(contradictedLines(tied)).toMatchObject([{ otherPrice: '2' }])
  })

  it('since the last of those that agree showed its price', () => {
    const found = [by('a', '2', { since: at(2) }), by('b', '2', { since: at(4) }), by('c', '2', { since: at(3) })]
    expect(contradictedLines(found)).toMatchObject([{ since: at(4) }])
  })

  it('by no one source, by none that copies its format, and by none that disagree', () => {
    expect(contradictedLines([by('a', '2')])).toEqual([])
    expect(contradictedLines([by('a', '2'), by('a2', '2', { format: 'a' })])).toEqual([])
    expect(contradictedLines([by('a', '2'), by('b', '3')])).toEqual([])
  })

  it('without another source deciding, where all are witnesses or a person decided', () => {
    const witnesses = [by('a', '2', { canDecide: false }), by('b', '2', { canDecide: false })]
    expect(contradictedLines(witnesses)).toMatchObject([{ sources: ['a', 'b'], decidedBy: undefined }])
    const decided = [by('a', '2'), by('b', '2')].map((one) => ({ ...one, isDecided: true }))
    expect(contradictedLines(decided)).toMatchObject([{ sources: ['a', 'b'], decidedBy: undefined }])
  })

  it('and the source that decides goes on while its price waits', () => {
    const waits = by('b', '2', { place: 2, canDecide: false, decides: true })
    expect(contradictedLines([by('a', '2', { place: 1 }), waits])).toMatchObject([{ decidedBy: 'b' }])
    const decided = [waits, by('a', '2')].map((one) => ({ ...one, isDecided: true }))
    expect(contradictedLines(decided)).toMatchObject([{ decidedBy: undefined }])
  })

  it('by sources that write one price differently', () => {
    expect(contradictedLines([by('a', '0.30000000000000004'), by('b', '0.3')])).toHaveLength(1)
  })

  it('by two that round one price, and by none that round the served one', () => {
    const rounded = [by('a', '0.3125', { place: 1 }), by('b', '0.31', { place: 2 })]
    expect(contradictedLines(rounded)).toMatchObject([{ otherPrice: '0.3125', decidedBy: 'a' }])
    expect(contradictedLines(rounded.map((one) => ({ ...one, price: '0.312' })))).toEqual([])
    expect(contradictedLines([by('a', '1.02'), by('b', '1.029')])).toHaveLength(1)
    expect(contradictedLines([by('a', '1.02'), by('b', '1.031')])).toEqual([])
    expect(contradictedLines([by('a', '100'), by('b', '99')])).toHaveLength(1)
    expect(contradictedLines([by('a', '100'), by('b', '98.9')])).toEqual([])
    const page = by('page', '1.005', { isBetter: true })
    expect(contradictedLines([page])).toMatchObject([{ otherPrice: '1.005' }])
  })
})
