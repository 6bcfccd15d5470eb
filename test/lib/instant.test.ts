import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  earliest,
  epochMs,
  fromDatabase,
  type Instant,
  instantOf,
  latest,
  parseInstant,
  plus,
} from '../../src/lib/instant.ts'

describe('an instant', () => {
  it.each([
    ['2026-11-21T10:15:00Z', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21T12:15:00+02:00', '2026-11-21T10:15:00.000Z'],
    ['2026-11-21T10:15:00.1Z', '2026-11-21T10:15:00.100Z'],
    ['2026-11-21T10:15:00.123999Z', '2026-11-21T10:15:00.123Z'],
    ['2024-02-29T00:00:00-11:30', '2024-02-29T11:30:00.000Z'],
    ['2026-11-21T10:15:00.12Z', '2026-11-21T10:15:00.120Z'],
    ['2026-11-21t10:15:00z', '2026-11-21T10:15:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2000-02-29T23:59:59Z', '2000-02-29T23:59:59.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['2016-12-31T23:59:60.5z', '2016-12-31T23:59:59.999Z'],
    ['1990-12-31T15:59:60-08:00', '1990-12-31T23:59:59.999Z'],
    ['2015-07-01T05:29:60+05:30', '2015-06-30T23:59:59.999Z'],
  ])('reads %s as %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  it.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21T10:15:00',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:61Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '1900-02-29T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-11-21T10:15:00.Z',
    '2026-11-21T10:15Z',
    '2026-11-21T10:15:00+02',
    '2026-11-21T10:15:00+2:00',
    '2026-11-21T10:15:00+25:00',
    'x2026-11-21T10:15:00Z',
    '2026-11-21T10:15:00Zx',
    '+002026-11-21T10:15:00Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:58:60Z',
    '2016-12-30T23:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '2026-02-30T23:59:60Z',
    '1700000000',
    '2026-11-21 10:15:00Z',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  it('survives a round trip and sorts as text', () => {
    const any = fc.integer({ min: 0, max: Date.UTC(9999, 0) })
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(epochMs(parseInstant(instantOf(a))!)).toBe(a)
        expect(instantOf(a) < instantOf(b)).toBe(a < b)
      }),
    )
  })

  it('reads what PostgreSQL prints', () => {
    expect(fromDatabase('2026-11-21 10:15:00+00')).toBe('2026-11-21T10:15:00.000Z')
    expect(fromDatabase('2026-11-21 10:15:00.5+00')).toBe('2026-11-21T10:15:00.500Z')
    expect(fromDatabase('2026-11-21 10:15:00-02')).toBe('2026-11-21T12:15:00.000Z')
    expect(fromDatabase('2026-11-21 10:15:00+05:30')).toBe('2026-11-21T04:45:00.000Z')
    expect(() => fromDatabase('infinity')).toThrow('not a timestamp: infinity')
  })

  it('is later by milliseconds, also by a negative number of them', () => {
    const at = '2026-12-31T23:59:59.999Z' as Instant
    expect([plus(at, 1), plus(at, -1_000)]).toEqual(['2027-01-01T00:00:00.000Z', '2026-12-31T23:59:58.999Z'])
  })

  it('is the earlier or the later one of two', () => {
    const [a, b] = ['2026-11-21T10:15:00.000Z' as Instant, '2026-11-21T10:15:00.001Z' as Instant]
    expect([earliest(a, b), earliest(b, a), earliest(a, a)]).toEqual([a, a, a])
    expect([latest(a, b), latest(b, a), latest(b, b)]).toEqual([b, b, b])
  })
})
