import { describe, expect, it } from 'vitest'
import { anchorOf, type ClockReading, clockMessage, judgeClock, mayStamp } from '../../src/catalog/clock/clock-rules.ts'
import { type Instant, plus } from '../../src/lib/instant.ts'

const NOON = '2026-11-21T12:00:00.000Z' as Instant
const HOUR = 3_600_000

/** Both clocks after an hour of uptime, each off by some milliseconds; the answer took `latency`. */
function reading(off: { database?: number; machine?: number; latency?: number; passed?: number } = {}): ClockReading {
  const { database = 0, machine = 0, latency = 0, passed = HOUR } = off
  const clock = (ms: number) => ({ machine: 'm', at: plus(NOON, passed + ms + machine), uptimeMs: 5_000 + passed + ms })
  return { database: plus(NOON, passed + database), before: clock(0), after: clock(latency) }
}
const anchor = anchorOf(reading({ passed: 0 }))
const judge = (off: Parameters<typeof reading>[0]) => judgeClock(reading(off), anchor)

describe('the rules of the clock', () => {
  it('trusts clocks that ran evenly, and a first reading in which they agree', () => {
    expect(judge({})).toEqual({ state: 'steady' })
    expect(judgeClock(reading({ database: 4_000 }))).toEqual({ state: 'steady' })
  })

  it('refuses to stamp when both clocks jumped ahead of the uptime', () => {
    const verdict = judge({ database: 24 * HOUR, machine: 24 * HOUR })
    expect(verdict).toEqual({ state: 'jumped_ahead', byMs: 24 * HOUR })
    expect(mayStamp(verdict)).toBe(false)
    expect(mayStamp(judge({ database: 31_000, machine: 31_000 }))).toBe(false)
    expect(mayStamp(judge({ database: 30_000, machine: 30_000 }))).toBe(true)
  })

  it('refuses to stamp when the database’s clock is ahead of the machine’s, also at a first reading', () => {
    for (const verdict of [judge({ database: HOUR }), judgeClock(reading({ database: HOUR }))]) {
      expect(verdict).toEqual({ state: 'database_ahead', byMs: HOUR })
      expect(mayStamp(verdict)).toBe(false)
    }
  })

  it('trusts again once the clocks agree with the uptime', () => {
    expect(judge({ passed: 2 * HOUR })).toEqual({ state: 'steady' })
  })

  it('trusts a database’s clock that was corrected to a machine’s that ran evenly, and the other way round', () => {
    const databaseWasBehind = anchorOf(reading({ passed: 0, database: -HOUR }))
    expect(judgeClock(reading(), databaseWasBehind)).toEqual({ state: 'steady' })
    const machineWasBehind = anchorOf(reading({ passed: 0, machine: -HOUR }))
    expect(judgeClock(reading(), machineWasBehind)).toEqual({ state: 'steady' })
  })

  it('reports clocks that differ by more than 5 seconds, and stamps', () => {
    for (const off of [{ database: 6_000 }, { database: -6_000 }, { machine: 6_000 }]) {
      const verdict = judge(off)
      expect(verdict).toEqual({ state: 'skewed', byMs: 6_000 })
      expect(mayStamp(verdict)).toBe(true)
    }
    expect(judge({ database: 5_000 })).toEqual({ state: 'steady' })
  })

  it('reports a step back of both clocks, and stamps', () => {
    const verdict = judge({ database: -600_000, machine: -600_000 })
    expect(verdict).toEqual({ state: 'stepped_back', byMs: 600_000 })
    expect(mayStamp(verdict)).toBe(true)
  })

  it('never takes a slow answer for a clock that is ahead, when it anchors or when it judges', () => {
    expect(judge({ latency: 60_000 }).state).not.toMatch(/ahead/)
    const slow = anchorOf(reading({ passed: 0, latency: 60_000, database: 60_000 }))
    expect(judgeClock(reading({ passed: 90_000 }), slow)).toEqual({ state: 'steady' })
  })

  it('says what to do', () => {
    expect(clockMessage(judge({ database: 24 * HOUR, machine: 24 * HOUR }))).toBe(
      'the clock jumped ahead by 86,400 s. Correct it and publishing goes on by itself; if it is right now, run npx pricetape clock accept.',
    )
    expect(clockMessage({ state: 'steady' })).toBe('')
  })
})
