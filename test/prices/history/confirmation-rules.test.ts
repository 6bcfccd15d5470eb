import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { confirmedAgainAt, fetchAt, isDue, nextDueFetch } from '../../../src/prices/ingest/confirmation-rules.ts'
import { at, earlier, HOUR } from '../holds/held-lines.ts'

describe('the next fetch of a source with lines that wait', () => {
  const waiting = (fetches: number, dueAt = at) => ({ fetches, dueAt })
  const plusMs = (ms: number) => new Date(Date.parse(at) + ms).toISOString() as Instant

  it('may change a line in its third fetch, and no sooner than it is due', () => {
    expect(isDue(waiting(2), at)).toBe(true)
    expect(isDue(waiting(1), at)).toBe(false)
    expect(isDue(waiting(2, plusMs(1)), at)).toBe(false)
  })

  it('is within eight hours when a line is due within a day', () => {
    expect(confirmedAgainAt([waiting(0, plusMs(24 * HOUR))], at)).toBe(plusMs(8 * HOUR))
    expect(confirmedAgainAt([waiting(0, plusMs(24 * HOUR + 1))], at)).toBeUndefined()
    expect(confirmedAgainAt([waiting(0, plusMs(48 * HOUR)), waiting(0)], at)).toBe(plusMs(8 * HOUR))
    expect(confirmedAgainAt([], at)).toBeUndefined()
  })

  it('is the first at which one of them is due and was fetched three times', () => {
    expect(nextDueFetch([], at, HOUR)).toBeUndefined()
    expect(nextDueFetch([waiting(0)], at, HOUR)).toBe(3)
    expect(nextDueFetch([waiting(2)], at, HOUR)).toBe(1)
    expect(nextDueFetch([waiting(9, earlier)], at, HOUR)).toBe(1)
    expect(nextDueFetch([waiting(2, plusMs(4 * HOUR + 1))], at, HOUR)).toBe(5)
    expect(nextDueFetch([waiting(0), waiting(1), waiting(2, plusMs(9 * HOUR))], at, HOUR)).toBe(2)
    expect(fetchAt(at, 3, HOUR)).toBe(plusMs(3 * HOUR))
  })
})
