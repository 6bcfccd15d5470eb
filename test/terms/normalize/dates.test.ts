import { describe, expect, it } from 'vitest'
import { daysIn, firstNamedDay, statedDates } from '../../../src/terms/normalize/dates-rules.ts'

describe('the days of a text', () => {
  it('are those it names, two where countries read one differently, and a month', () => {
    expect(daysIn('From 3 March 2025 until 2026-01-31.')).toEqual([['2025-03-03'], ['2026-01-31']])
    expect(daysIn('03/04/2025 or 13/04/2025')).toEqual([['2025-03-04', '2025-04-03'], ['2025-04-13']])
    expect(daysIn('March 2025, 31/31/2025')).toEqual([['2025 3'], []])
    expect(daysIn('in the year 2025')).toEqual([])
  })

  it('begin with one that is named by its month, before or behind it', () => {
    expect(firstNamedDay('2026-01-01 to March 2nd, 2026')).toEqual({ day: '2026-03-02', isMonthFirst: true })
    expect(firstNamedDay('2. März 2026 or March 4, 2026')).toEqual({ day: '2026-03-02', isMonthFirst: false })
    expect(firstNamedDay('31 February 2026, then 1 March 2026')).toEqual({ day: '2026-03-01', isMonthFirst: false })
    for (const text of ['March 2026', '2026-03-02', '02/03/2026', '2026年3月2日', ''])
      expect(firstNamedDay(text)).toBeUndefined()
  })
})

describe('the dates a document states', () => {
  it.each([
    ['Effective: January 1, 2026', { effective: '2026-01-01' }],
    ['**Effective Date:** 1 January 2026', { effective: '2026-01-01' }],
    ['Effective as of Jan. 1st, 2026', { effective: '2026-01-01' }],
    ['These terms come into force on 2026-01-01.', { effective: '2026-01-01' }],
    ['Last updated: December 1, 2025', { updated: '2025-12-01' }],
    ['UpdatedJanuary 10, 2024', { updated: '2024-01-10' }],
    ['Effective 8 July 2026Previous version', { effective: '2026-07-08' }],
    ['Last modified 31.12.2025', { updated: '2025-12-31' }],
    ['Last Revised: 12/31/2025', { updated: '2025-12-31' }],
    ['Stand vom 3. März 2025', { effective: '2025-03-03' }],
    ['Date d’entrée en vigueur : 1er janvier 2026', { effective: '2026-01-01' }],
    ['Última actualización: 1 de enero de 2026', { updated: '2026-01-01' }],
    ['Dernière mise à jour : 26 avr. 2022', { updated: '2022-04-26' }],
    ['Stand vom 3. Dez. 2025', { effective: '2025-12-03' }],
  ])('reads %s', (text, dates) => {
    expect(statedDates(`# Terms\n\n${text}\n\nWelcome.`)).toEqual(dates)
  })

  it('reads both where a text has both', () => {
    const text = 'Updated: December 1, 2025\n\n# Data Processing\n\n**Effective: January 1, 2026**\n\nThis addendum'
    expect(statedDates(text)).toEqual({ updated: '2025-12-01', effective: '2026-01-01' })
  })

  it.each([
    ['a day that is read differently in different countries', 'Effective: 03/04/2026'],
    ['a day that does not exist', 'Effective: February 30, 2026'],
    ['a date of something else', 'The company was founded on March 3, 2011 in Berlin.'],
  ])('names no day for %s', (_what, text) => {
    expect(statedDates(`# Terms\n\n${text}`)).toEqual({})
  })
})
