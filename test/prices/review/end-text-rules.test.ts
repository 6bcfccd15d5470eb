import { describe, expect, it } from 'vitest'
import { endTexts } from '../../../src/prices/review/end-text-rules.ts'
import { day } from '../observed.ts'

describe('what would end a doubt', () => {
  it('is time, when nothing but time is missing: from when, and how many fetches', () => {
    const wait = { since: day(2), fetches: 1 }
    expect(endTexts({ kind: 'price', reasons: ['large_change', 'with_its_set'] }, wait)).toEqual([
      `Published from 2026-01-04 00:00 UTC on, when the source has listed it in 3 good fetches: 1 so far.`,
    ])
    expect(endTexts({ kind: 'mass_change', reasons: ['mass_change'] })).toEqual([
      'Published when the source has listed it for a day, in 3 good fetches.',
    ])
  })

  const WITNESS = 'a witness that shows the same price'
  const SELLERS = 'two other sellers of the same model that charge nearly the same'
  it.each([
    ['power_of_ten', `“power of ten” ends by ${WITNESS}, or ${SELLERS}, or a person.`],
    ['to_zero', `“free now” ends by ${SELLERS}, or a person.`],
    ['unlike_other_sellers', `“unlike other sellers” ends by ${SELLERS}, or a person.`],
    ['provider_flipped_unit', `“provider off by a power of ten” ends by ${SELLERS}, or a person.`],
    ['implausible_price', '“implausible” ends by another price in the source, or a person.'],
    ['cache_read_above_input', '“cache read above input” ends by another price in the source, or a person.'],
    ['output_below_input', '“output below half of input” ends by another price in the source, or a person.'],
    ['currency_changed', 'Only a person ends “another currency”.'],
    ['unit_changed', 'Only a person ends “another unit”.'],
  ])('of %s is other evidence or a person, however long it has stood', (reason, text) => {
    const wait = { since: day(2), fetches: 9 }
    expect(endTexts({ kind: 'price', reasons: [reason, 'large_change'] }, wait)).toEqual([text])
    expect(endTexts({ kind: 'mass_change', reasons: ['mass_change', reason] }, wait)).toEqual([text])
  })

  it('is a sentence for each doubt that time does not end', () => {
    expect(endTexts({ kind: 'price', reasons: ['to_zero', 'large_change', 'unit_changed'] })).toEqual([
      `“free now” ends by ${SELLERS}, or a person.`,
      'Only a person ends “another unit”.',
    ])
  })

  it.each([
    ['removal', 'Ends when the source lists them again. Only a person can remove them.'],
    ['line_removal', 'Ends when the source lists the prices again. Only a person can remove them.'],
    ['unreadable', 'Ends when the source shows a price that can be read. Only a person can remove the lines.'],
    ['rename', 'Ends when the source lists the old name again. Only a person can say that it is the same.'],
    ['snapshot', 'Ends when the source serves another list. Only a person can accept this one.'],
  ] as const)('of a %s is the source, or a person', (kind, text) => {
    expect(endTexts({ kind, reasons: ['collapsed'] })).toEqual([text])
  })

  it('of a list that is served again is that the source repeats it for a day', () => {
    expect(endTexts({ kind: 'snapshot', reasons: ['served_again'] })).toEqual([
      'Ends when the source has repeated the list for a day, or when a person accepts it.',
    ])
  })

  it('of a set that contradicts a missing price is three days', () => {
    expect(endTexts({ kind: 'price', reasons: ['contradicts_missing_line'] }, { since: day(2), fetches: 2 })).toEqual([
      'Published from 2026-01-06 00:00 UTC on, when the source has listed it in 3 good fetches: 2 so far.',
    ])
    expect(endTexts({ kind: 'price', reasons: ['contradicts_missing_line'] })).toEqual([
      'Published when the source has listed it for 3 days, in 3 good fetches.',
    ])
    expect(endTexts({ kind: 'price', reasons: ['tenfold_with_others'] })).toEqual([
      'Published when the source has listed it for 14 days, in 3 good fetches.',
    ])
  })
})
