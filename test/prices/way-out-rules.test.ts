import { describe, expect, it } from 'vitest'
import { waysOut } from '../../src/prices/review/way-out-rules.ts'
import { day } from './support.ts'

describe('what would end a doubt', () => {
  it('is time, when nothing but time is missing: from when, and how many fetches', () => {
    const standing = { since: day(2), fetches: 1 }
    expect(waysOut({ kind: 'price', reasons: ['large_change', 'with_its_set'] }, standing)).toEqual([
      `Published from 2026-01-04 00:00 UTC on, when the source has listed it in 3 good fetches: 1 so far.`,
    ])
    expect(waysOut({ kind: 'mass_change', reasons: ['mass_change'] })).toEqual([
      'Published when the source has listed it for a day, in 3 good fetches.',
    ])
  })

  it.each([
    ['power_of_ten', /ends by a witness .*, or two other sellers .*, or a person\.$/],
    ['to_zero', /ends by two other sellers .*, or a person\.$/],
    ['implausible_price', /ends by another price in the source, or a person\.$/],
    ['currency_changed', /^Only a person ends “another currency”\.$/],
  ])('of %s is other evidence or a person', (reason, text) => {
    expect(waysOut({ kind: 'price', reasons: [reason, 'large_change'] }, { since: day(2), fetches: 9 })).toEqual([
      expect.stringMatching(text),
    ])
  })

  it('of an absence or a snapshot is the source, or a person', () => {
    for (const kind of ['removal', 'rename', 'line_removal', 'unreadable', 'snapshot'] as const)
      expect(waysOut({ kind, reasons: ['x'] })).toEqual([
        expect.stringMatching(/^Ends when the source .*Only a person/),
      ])
    expect(waysOut({ kind: 'snapshot', reasons: ['served_again'] })[0]).toMatch(/repeated the list for a day/)
  })
})
