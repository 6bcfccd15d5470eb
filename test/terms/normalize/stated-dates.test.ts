import { describe, expect, it } from 'vitest'
import {
  datesIn,
  hasDate,
  statedDates,
  withCanonicalDates,
  withoutDates,
} from '../../../src/terms/normalize/dates-rules.ts'

describe('a date in a text', () => {
  it.each([
    'March 3, 2025',
    'Mar. 3rd 2025',
    '3 March 2025',
    '3rd of March, 2025',
    '3. März 2025',
    '3 de marzo de 2025',
    '2025-03-03',
    '2025/3/3',
    '03.03.2025',
    '2025年3月3日',
  ])('names one day, however it is written: %s', (text) => {
    expect(withCanonicalDates(text)).toBe(' date20250303 ')
    expect(withCanonicalDates(`on ${text} we`)).toBe('on  date20250303  we')
    expect(hasDate(text)).toBe(true)
    expect(withoutDates(`on ${text} we`)).toBe('on   we')
    expect(datesIn(`on ${text} we`)).toEqual([text])
  })

  it.each([
    ['a day that is read differently in different countries', '03/04/2025'],
    ['a day that does not exist', '31 February 2025'],
    ['the day before the first', '2025-03-00'],
    ['a month that does not exist', '2025-13-01'],
    ['a month without a day', 'March 2025'],
  ])('names no day: %s', (_what, text) => {
    expect(withCanonicalDates(`on ${text} we`)).toBe(`on ${text} we`)
    expect(datesIn(text)).toEqual([text])
  })

  it.each([
    ['04.03.2025', '20250304'],
    ['13/03/2025', '20250313'],
    ['03/13/2025', '20250313'],
    ['12/12/2025', '20251212'],
    ['13-12-2025', '20251213'],
    ['29 February 2024', '20240229'],
    ['31 January 2025', '20250131'],
  ])('with numbers is read as only one reading is left: %s', (text, date) => {
    expect(withCanonicalDates(text)).toBe(` date${date} `)
  })

  it('is none in a text without a year, or within a word', () => {
    expect([hasDate('March 3'), hasDate('12025-03-031'), hasDate('the year 2025')]).toEqual([false, false, false])
    expect(['phased out 2025', 'targets set 2030', 'long ago 2019'].filter(hasDate)).toEqual([])
    expect([datesIn('March 3'), datesIn('2025')]).toEqual([[], []])
  })
})

describe('the dates that a document states', () => {
  const filler = (length: number) => 'x '.repeat(length / 2)

  it('are the first of each kind', () => {
    expect(statedDates('Effective 1 May 2025. Effective 2 May 2025. Updated 3 May 2025. Updated 4 May 2025.')).toEqual({
      effective: '2025-05-01',
      updated: '2025-05-03',
    })
  })

  it('are after a label in their own line', () => {
    expect(statedDates('Effective\n\n1 May 2025')).toEqual({})
    expect(statedDates('Effective\n1 May 2025')).toEqual({})
    expect(statedDates(`Effective ${filler(38)}1 May 2025`)).toEqual({ effective: '2025-05-01' })
    expect(statedDates(`Effective ${filler(60)}1 May 2025`)).toEqual({})
  })

  it('are in its first 4,000 or its last 1,500 characters', () => {
    const at = (before: number, after: number) => statedDates(`${filler(before)}Updated 1 May 2025 ${filler(after)}`)
    expect(at(3_900, 9_000)).toEqual({ updated: '2025-05-01' })
    expect(at(4_100, 9_000)).toEqual({})
    expect(at(9_000, 1_400)).toEqual({ updated: '2025-05-01' })
    expect(at(9_000, 1_500)).toEqual({})
    expect(at(4_100, 1_300)).toEqual({ updated: '2025-05-01' })
  })

  it('may be emphasized', () => {
    expect(statedDates('**Effective** *1 May 2025*')).toEqual({ effective: '2025-05-01' })
  })
})
