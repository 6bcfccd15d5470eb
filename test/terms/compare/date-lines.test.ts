import { describe, expect, it } from 'vitest'
import { datesMoved, sameBesideDates, withoutShownDates } from '../../../src/terms/compare/date-lines-rules.ts'
import type { Block } from '../../../src/terms/normalize/normal-form-rules.ts'
import { block, change, item, row } from '../normalize/blocks.ts'

const same = (before: Block[], after: Block[]) => sameBesideDates([change(before, []), change([], after)])

describe('short lines with a date', () => {
  const deadline = (date: string) => block(`Opt-out deadline: ${date}`)

  it('say the same when only their dates differ, in any order', () => {
    expect(same([deadline('31 March 2026')], [deadline('30 April 2026')])).toBe(true)
    expect(same([row('Alpha 3 May 2024')], [row('Alpha 4 May 2024')])).toBe(true)
    expect(same([deadline('31 March 2026'), item('A 3 May 2024')], [item('A 3 May 2024'), deadline('May 2026')])).toBe(
      true,
    )
  })

  it('say something else when one was added or removed, or has another name', () => {
    expect(same([], [deadline('31 March 2026')])).toBe(false)
    expect(same([deadline('31 March 2026')], [])).toBe(false)
    expect(same([deadline('31 March 2026')], [block('Renewal deadline: 31 March 2026')])).toBe(false)
    expect(same([row('Alpha 3 May 2024')], [row('Beta 3 May 2024')])).toBe(false)
    expect(same([item('3 May 2024')], [item('3 May 2024'), item('3 May 2024')])).toBe(false)
  })

  it('say nothing else as dates of the document, and longer ones are compared by all their words', () => {
    expect(
      same([block('Updated 3 May 2025')], [block('Last updated on 4 May 2025'), block('Effective 5 May 2025')]),
    ).toBe(true)
    expect(same([block('On 3 May 2025 we pay all of it to you.')], [])).toBe(true)
  })
})

describe('the dates that moved', () => {
  const line = (...dates: string[]) => block(`Updated ${dates.join(' and ')}`)
  const moved = (before: Block[], after: Block[]) => datesMoved([change(before, []), change([], after)])

  it('are those that were removed or added, each once', () => {
    expect(moved([line('3 May 2025')], [line('4 May 2025')])).toBe(1)
    expect(moved([line('3 May 2025', '3 May 2025')], [line('4 May 2025'), line('4 May 2025')])).toBe(1)
    expect(moved([line('3 May 2025', '1 June 2025')], [line('4 May 2025', '1 June 2025')])).toBe(1)
    expect(moved([line('3 May 2025', '1 June 2025')], [line('4 May 2025', '2 June 2025')])).toBe(2)
    expect(moved([line('3 May 2025', '1 June 2025')], [line('4 May 2025')])).toBe(2)
    expect(moved([line('3 May 2025')], [line('4 May 2025', '1 June 2025')])).toBe(2)
    expect(moved([line('3 May 2025')], [line('3 May 2025')])).toBe(0)
  })
})

describe('lines that state a date and nothing else', () => {
  const versions = block(
    'Versions: 20 Feb 2025 , 03 Feb 2025 , 19 Nov 2024 , 14 Aug 2023 , 04 Oct 2022 , 12 Sep 2018 .',
  )
  const updated = (day: string) => block(`Updated on ${day}.`)
  const left = (before: Block[], after: Block[]) =>
    withoutShownDates([
      ...(before.length > 0 ? [change(before, [])] : []),
      ...(after.length > 0 ? [change([], after)] : []),
    ])

  it('make no change when the page begins or ceases to show them, a list of earlier versions too', () => {
    expect(left([], [updated('20 Feb 2025')])).toEqual([])
    expect(left([versions], [])).toEqual([])
    expect(left([], [block('Previous versions: 20 Feb 2025, 03 Feb 2025, 19 Nov 2024')])).toEqual([])
  })

  it.each([
    'This policy was published on June 8, 2026 with an effective date of July 8, 2026.',
    'These terms are effective as of July 8, 2026.',
    'Diese Richtlinie wurde am 8. Juni 2026 veröffentlicht.',
    'Cette politique a été publiée le 8 juin 2026.',
    'Esta política fue publicada el 8 de junio de 2026.',
    'Questa informativa è stata pubblicata il 8 giugno 2026.',
  ])('may be sentences about the document: %s', (text) => {
    expect(left([block(text)], [])).toEqual([])
  })

  it.each([
    'This agreement ends on July 8, 2026.',
    'You have to agree to these terms until July 8, 2026.',
    'This policy was published on June 8, 2026 and replaces all others.',
  ])('are not deadlines or what else happens on a day: %s', (text) => {
    expect(left([block(text)], [])).toHaveLength(1)
  })

  it('make no change where they moved to another place, also beside others', () => {
    expect(left([updated('20 Feb 2025')], [updated('20 Feb 2025'), versions])).toEqual([])
  })

  it('make no change where every date is a day earlier or later, as another time zone has it; one date alone is a change', () => {
    const days = (...texts: string[]) => texts.map((text) => block(`${text}`))
    const was = days('26 avr. 2022', '1 déc. 2020', '8 nov. 2019')
    expect(left(was, days('25 avr. 2022', '30 nov. 2020', '7 nov. 2019'))).toEqual([])
    expect(left(days('25 avr. 2022', '30 nov. 2020', '7 nov. 2019'), was)).toEqual([])
    expect(left(was, days('25 avr. 2022', '30 nov. 2020', '6 nov. 2019'))).toHaveLength(2)
    expect(left(was, days('24 avr. 2022', '29 nov. 2020', '6 nov. 2019'))).toHaveLength(2)
    expect(left(was, days('25 avr. 2022', '30 nov. 2020'))).toHaveLength(2)
    expect(left([updated('20 Feb 2025')], [updated('21 Feb 2025')])).toHaveLength(2)
  })

  it('are a change when a date was removed and another came, and when they say what happens on the day', () => {
    expect(left([updated('20 Feb 2025')], [updated('3 Mar 2025'), versions])).toHaveLength(2)
    const holidays = block('We do not pay out on these bank holidays: 25 Dec 2025, 26 Dec 2025, 1 Jan 2026')
    expect(left([], [holidays])).toHaveLength(1)
    expect(left([], [block('Deadlines: 25 Dec 2025, 26 Dec 2025, 1 Jan 2026')])).toHaveLength(1)
  })
})
