import { describe, expect, it } from 'vitest'
import { isForgotten, KEPT } from '../../src/web/pages/changes/kept.ts'

const NEWEST = '2026-11-23T02:00:00.000Z'

describe('changes that are kept for 30 days', () => {
  it('says so', () => {
    expect(KEPT).toBe('Changes are kept for 30 days.')
  })

  it.each([
    [undefined, false],
    ['2026-11-01T00:00:00Z', false],
    ['2026-10-24T02:00:00Z', false],
    ['2026-10-24T01:59:59Z', true],
    ['2026-01-01T00:00:00Z', true],
  ])('are gone as of %s: %s', (asOf, isGone) => {
    expect(isForgotten(asOf, NEWEST)).toBe(isGone)
  })
})
