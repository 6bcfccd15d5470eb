import { describe, expect, it } from 'vitest'
import { exactInstant, toTheMinute } from '../../src/web/instants.ts'

describe('an instant that a page shows', () => {
  it.each([
    ['2026-03-01T00:00:00Z', '2026-03-01 00:00 UTC'],
    ['2026-03-01T00:00:00.000Z', '2026-03-01 00:00 UTC'],
    ['2026-03-01T12:34:56Z', '2026-03-01 12:34:56 UTC'],
    ['2026-03-01T12:34:00.500Z', '2026-03-01 12:34:00.5 UTC'],
    ['2026-03-01T12:34Z', '2026-03-01 12:34 UTC'],
  ])('%s is exact: %s', (at, shown) => {
    expect(exactInstant(at)).toBe(shown)
  })

  it('is cut to the minute where that is enough', () => {
    expect(toTheMinute('2026-03-01T12:34:56.789Z')).toBe('2026-03-01 12:34 UTC')
  })
})
