import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueAfterFailure, dueAfterQuarantine, freshnessOf } from '../../src/catalog/sources/source-rules.ts'
import { DAY, epochMs, HOUR, MINUTE, parseInstant, plus } from '../../src/lib/instant.ts'

const now = parseInstant('2026-11-21T10:00:00Z')!
const wait = (failures: number, asked?: number) => epochMs(dueAfterFailure(now, failures, asked)) - epochMs(now)

describe('when a failing source is due again', () => {
  it('is after 5 minutes, then twice as late each time, 6 hours at most', () => {
    expect([1, 2, 3, 7, 8, 1000].map((failures) => wait(failures))).toEqual([
      5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 320 * MINUTE, 6 * HOUR, 6 * HOUR,
    ]) // biome-ignore format: one thing after another
  })

  it('is never sooner than it asked for, nor later than the longest wait because of that', () => {
    expect(wait(1, 2 * HOUR)).toBe(2 * HOUR)
    expect(wait(1, 30 * DAY)).toBe(6 * HOUR)
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (failures, asked) => {
        expect(wait(failures, asked)).toBeGreaterThanOrEqual(5 * MINUTE)
        expect(wait(failures, asked)).toBeLessThanOrEqual(6 * HOUR)
        expect(wait(failures + 1, asked)).toBeGreaterThanOrEqual(wait(failures, asked))
      }),
    )
  })
})

describe('when a page that shows no document is due again', () => {
  const due = (hours: number, times: number) => epochMs(dueAfterQuarantine(now, hours * 3600, times)) - epochMs(now)

  it('is after its interval, then twice as late each time, a day at most', () => {
    expect([1, 2, 3, 4, 1000].map((times) => due(6, times))).toEqual([
      6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR,
    ]) // biome-ignore format: one thing after another
  })

  it('is never sooner than its interval', () => {
    expect(due(48, 5)).toBe(48 * HOUR)
  })
})

describe('freshness', () => {
  const source = (ago: number, intervalSeconds = 3600) => ({ lastGoodAt: plus(now, -ago), intervalSeconds })

  it('is unknown before the first check that succeeded', () => {
    expect(freshnessOf(undefined, now)).toBe('unknown')
    expect(freshnessOf({ intervalSeconds: 900 }, now)).toBe('unknown')
  })

  it('is fresh for three intervals after one, at least half an hour, and stale from then on', () => {
    expect(freshnessOf(source(3 * HOUR), now)).toBe('fresh')
    expect(freshnessOf(source(3 * HOUR + 1), now)).toBe('stale')
    expect(freshnessOf(source(30 * MINUTE, 60), now)).toBe('fresh')
    expect(freshnessOf(source(30 * MINUTE + 1, 60), now)).toBe('stale')
  })
})
