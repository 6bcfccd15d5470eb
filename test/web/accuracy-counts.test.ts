import { describe, expect, it } from 'vitest'
import { servedOf, shownChanges, shownHours, shownShare, sumOf } from '../../src/web/pages/operator/accuracy/counts.ts'

describe('counts of the daily measure', () => {
  const counts = { contradicted: 1, byProvider: 20, independent: 300, ownList: 4000, unconfirmed: 50_000 }

  it('are added up over states and groups', () => {
    expect(servedOf(counts)).toBe(54_321)
    expect(sumOf([counts, counts])).toEqual({
      ...{ contradicted: 2, byProvider: 40, independent: 600 },
      ...{ ownList: 8_000, unconfirmed: 100_000 },
    })
    expect(sumOf([])).toEqual({ contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 })
  })

  it.each([
    [0, 10, '0%'],
    [0, 0, '0%'],
    [1, 3_000, '<0.1%'],
    [1, 1_000, '0.1%'],
    [999, 10_000, '10%'],
    [36, 1_000, '3.6%'],
    [1, 2, '50%'],
    [10, 10, '100%'],
  ])('%s of %s are %s', (count, of, shown) => {
    expect(shownShare(count, of)).toBe(shown)
  })

  it('say after how many hours changes were published', () => {
    expect(shownHours(null, null)).toBe('–')
    expect(shownHours(0, 0)).toBe('0 h')
    expect(shownHours(1.25, 24.04)).toBe('1.3 h, 9 of 10 within 24 h')
    expect([shownChanges(1), shownChanges(2_000)]).toEqual(['1 change', '2,000 changes'])
  })
})
