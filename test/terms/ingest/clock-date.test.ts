import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { dateMovesWithTheDay } from '../../../src/terms/ingest/clock-date-rules.ts'

const seen = (day: string) => `${day}T12:00:00.000Z` as Instant
const before = { firstSeenAt: seen('2026-02-28'), effectiveDate: '2026-02-27', reasons: [] }

describe('a text of which only the date moved', () => {
  it.each<[what: string, previous: Parameters<typeof dateMovesWithTheDay>[0], date: string, moves: boolean]>([
    ['states the day when it moved before', { ...before, classification: 'dates' }, '2026-03-01', true],
    [
      'states the day when that was found out before',
      { ...before, reasons: ['its date moves with the day'] },
      '2026-03-02',
      true,
    ],
    [
      'was changed when the text before said something else too',
      { ...before, classification: 'minor' },
      '2026-03-01',
      false,
    ],
    ['was changed when its date lies ahead', { ...before, classification: 'dates' }, '2026-04-01', false],
    [
      'was changed when the date before was older than its fetch',
      { ...before, classification: 'dates', effectiveDate: '2025-12-01' },
      '2026-03-01',
      false,
    ],
    [
      'was changed when it states none',
      { ...before, classification: 'dates', effectiveDate: undefined },
      '2026-03-01',
      false,
    ],
  ])('%s', (_what, previous, effectiveDate, moves) => {
    expect(dateMovesWithTheDay(previous, { firstSeenAt: seen('2026-03-01'), effectiveDate }, 1)).toBe(moves)
  })

  it('states the day up to three days before its fetch', () => {
    const stated = (effectiveDate: string) =>
      dateMovesWithTheDay(
        { ...before, classification: 'dates' },
        { firstSeenAt: '2026-03-04T00:00:00.000Z' as Instant, effectiveDate },
        1,
      )
    expect([stated('2026-03-01'), stated('2026-02-28')]).toEqual([true, false])
  })

  it('states the day when it moves every two weeks or more often', () => {
    const moves = (day: string) =>
      dateMovesWithTheDay({ ...before, classification: 'dates' }, { firstSeenAt: seen(day), effectiveDate: day }, 1)
    expect([moves('2026-03-14'), moves('2026-03-15')]).toEqual([true, false])
  })

  it('was changed when it moves twice within months, each time to the day of the change', () => {
    const january = { firstSeenAt: seen('2026-01-01'), effectiveDate: '2026-01-01', reasons: [] }
    const july = { firstSeenAt: seen('2026-07-20'), effectiveDate: '2026-07-20' }
    expect(dateMovesWithTheDay({ ...january, classification: 'dates' }, july, 1)).toBe(false)
  })

  it('states it with the day of its last update where it has both', () => {
    const later = { firstSeenAt: seen('2026-03-01'), effectiveDate: '2027-01-01', updatedDate: '2026-03-01' }
    expect(dateMovesWithTheDay({ ...before, classification: 'dates' }, later, 1)).toBe(true)
  })

  it('states it with the date that moved, when the other one stays', () => {
    const both = { ...before, classification: 'dates' as const, updatedDate: '2025-07-10' }
    const next = { firstSeenAt: seen('2026-03-01'), effectiveDate: '2026-03-01', updatedDate: '2025-07-10' }
    expect(dateMovesWithTheDay(both, next, 1)).toBe(true)
    expect(dateMovesWithTheDay({ ...both, updatedDate: '2025-07-09' }, next, 1)).toBe(false)
  })

  it('was changed when another date moved with it, or instead of it', () => {
    const dated = { ...before, classification: 'dates' as const }
    const next = { firstSeenAt: seen('2026-03-01'), effectiveDate: '2026-03-01' }
    expect([0, 1, 2].map((moved) => dateMovesWithTheDay(dated, next, moved))).toEqual([false, true, false])
    expect(dateMovesWithTheDay(dated, { ...next, effectiveDate: before.effectiveDate }, 1)).toBe(false)
  })
})
