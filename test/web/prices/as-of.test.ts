import { describe, expect, it } from 'vitest'
import { parseInstant } from '../../../src/lib/instant.ts'
import { readAsOf } from '../../../src/web/pages/prices/explorer/search.ts'

describe('the instant in the address of a page', () => {
  it.each([
    ['2026-03-01T12:34:56.5Z', '2026-03-01T12:34:56.5Z'],
    ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    // As people type it. The routes take seconds only.
    ['2026-03-01T12:34Z', '2026-03-01T12:34:00Z'],
  ])('%s is read as one that the routes take', (asOf, read) => {
    expect(readAsOf({ asOf })).toEqual({ asOf: read })
    expect(parseInstant(read)).toBeDefined()
  })

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-30T00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:34:56',
    '2026-03-01',
    '',
    7,
  ])('%s is not an instant: the page shows now', (asOf) => {
    expect(readAsOf({ asOf })).toEqual({ asOf: undefined })
  })
})
