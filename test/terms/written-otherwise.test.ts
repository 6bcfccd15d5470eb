import { describe, expect, it } from 'vitest'
import { lostEncoding, onlyLostSigns, onlyWrittenOtherwise } from '../../src/terms/compare/written-otherwise-rules.ts'
import { daysIn } from '../../src/terms/normalize/dates-rules.ts'
import { block, change, item, textOf } from './blocks.ts'

const texts = (all: string[]) => all.map((text) => block(text))
/** Whether these paragraphs say the same as those, in both directions. */
function isSame(before: string[], after: string[]): boolean {
  const same = onlyWrittenOtherwise(change(texts(before), texts(after)))
  expect(onlyWrittenOtherwise(change(texts(after), texts(before)))).toBe(same)
  return same
}

describe('the days that a date may name', () => {
  it.each([
    ['on 4 November 2024', [['2024-11-04']]],
    ['on 11/04/2024', [['2024-11-04', '2024-04-11']]],
    ['on 13/04/2024 and 04.11.2024', [['2024-04-13'], ['2024-11-04']]],
    ['in May 2024', [['2024 5']]],
    ['on 31 February 2024', [[]]],
    ['never', []],
  ])('%s', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })
})

describe('a date in another writing', () => {
  const line = (date: string) => [`Last updated: ${date}`]

  it('is no change when one reading of it names the same day', () => {
    expect(isSame(line('11/04/2024'), line('4 November 2024'))).toBe(true)
    expect(isSame(line('11/04/2024'), line('11 April 2024'))).toBe(true)
    expect(isSame([...line('11/04/2024'), 'We keep it.'], ['Last updated: 4 November 2024. We keep it.'])).toBe(true)
  })

  it.each([
    ['another day', line('11/04/2024'), line('5 November 2024')],
    ['two dates that may be read in two ways', line('11/04/2024'), line('04/11/2024')],
    ['another month', line('May 2024'), line('June 2024')],
    ['no day at all', line('31 February 2024'), line('2 March 2024')],
    ['another label', line('11/04/2024'), ['Effective from: 4 November 2024']],
    ['one date more', line('11/04/2024'), line('4 November 2024, 4 November 2024')],
    ['no date', ['We keep it.'], ['We sell it.']],
  ])('is a change with %s', (_what, before, after) => {
    expect(isSame(before, after)).toBe(false)
  })
})

describe('letters of entries', () => {
  const entries = ['You pay for the use', 'the support', 'all taxes']

  it.each([
    ['letters', 'You pay for the use; (b) the support; (c) all taxes'],
    ['letters with one bracket', 'You pay for the use, b) the support, c) all taxes'],
    ['roman numbers', 'You pay for the use (ii) the support (iii) all taxes'],
    ['numbers', 'You pay for the use (2) the support (12) all taxes'],
  ])('say nothing when the entries became paragraphs: %s', (_what, one) => {
    expect(isSame([one], entries)).toBe(true)
  })

  it.each([
    ['another word', ['You pay (a) this; (b) that'], ['You pay', 'this', 'those']],
    ['a single letter, which may be a reference', ['You pay as (b) says'], ['You pay as', 'says']],
    ['letters on both sides', ['You pay (a) this (b) that'], ['You pay (a)', 'this', 'that']],
    ['more paragraphs than entries', ['You pay (a) this (b) that now'], ['You', 'pay', 'this', 'that now']],
    ['letters within a word', ['You pay x(a) this x(b) that'], ['You pay x', 'this x', 'that']],
    ['nothing on one side', [], ['You pay (a) this (b) that']],
  ])('are a change with %s', (_what, before, after) => {
    expect(isSame(before, after)).toBe(false)
  })
})

describe('what a link says of its file', () => {
  const name = 'Privacy statement for children'

  it.each([
    '(PDF)',
    '(pdf, 326.13 KB)',
    '(PDF, 0.2MB, FR)',
    '(access pdf)',
    'PDF, 326.13 KB',
    '- DOCX 1,2 Mo',
    '(xlsx: 3 MiB)',
  ])('is no change: %s', (hint) => {
    expect(isSame([`${name} ${hint}`], [name])).toBe(true)
  })

  it('is a change with another name, in the middle of a line, or without a size', () => {
    expect(isSame([`${name} (PDF)`], ['Privacy statement'])).toBe(false)
    expect(isSame(['Send a (PDF) form'], ['Send a form'])).toBe(false)
    expect(isSame(['Send it as PDF'], ['Send it as'])).toBe(false)
  })

  it('may stand before a remark, which counts', () => {
    expect(isSame([`${name} (PDF, 0.2MB, FR) (for bags).`], [`${name} (PDF, 0.1MB, FR) (for bags).`])).toBe(true)
    expect(isSame([`${name} (PDF, 0.2MB, FR) (for bags).`], [`${name} (PDF, 0.2MB, FR) (not for bags).`])).toBe(false)
    expect(isSame([`${name} (PDF) or anything else`], [`${name} or anything else`])).toBe(false)
  })

  it('is recognized after names of up to 20 words, each in its paragraph', () => {
    const long = (count: number) => Array(count).fill('name').join(' ')
    expect([isSame([`${long(19)} (PDF)`], [long(19)]), isSame([`${long(20)} (PDF)`], [long(20)])]).toEqual([
      true,
      false,
    ])
    expect(isSame([`${name} (PDF)`, name], [`${name} ${name}`])).toBe(false)
    expect(isSame([], [])).toBe(true)
  })
})

describe('letters that an encoding lost', () => {
  it.each([
    ['within a word', 'Le si�ge est situ� ici', 'Le siège est situé ici'],
    ['that were question marks', 'Das ist sch?n', 'Das ist schön'],
    ['of which one became three signs', 'Le si?ge', 'Le siÃ©¨ge'],
    ['beside some that stayed', 'Le c?ur déjà aimé là', 'Le cœur déjà aimé là'],
    ['that stood alone', 'soin � la protection', 'soin à la protection'],
    ['with the quotes beside them', "dits � Sites � d'ici", 'dits "Sites" d\'ici'],
  ])('are no change: %s', (_what, lost, whole) => {
    expect(isSame([lost], [whole])).toBe(true)
  })

  it.each([
    ['another word', 'Le si�ge est ici', 'Le siège est loin'],
    ['another number', 'dans 14 jours apr�s', 'dans 30 jours après'],
    ['letters lost on both sides', 'Le si�ge', 'Le si�g�'],
    ['a question', 'Was? Ist das so', 'Was Ist das sö'],
    ['a question in Japanese', '退会できますか?いつでも退会できます。', '退会はできません。'],
    ['nothing in its place', '退会できますか?いつでも退会できます。', ''],
    ['nothing but lost letters', '\ufffd\ufffd', 'éé'],
    ['another word in Cyrillic', 'Das ist sch?n: да', 'Das ist schön: не'],
    ['more letters than its signs stand for', 'Das ist sch?n', 'Däs ïst schööön'],
    ['more signs than its signs stand for', 'Das ist sch?n', 'Das ≤≤≤ ist schön'],
  ])('are a change with %s', (_what, lost, whole) => {
    expect(isSame([lost], [whole])).toBe(false)
  })
})

describe('a text whose encoding lost its letters', () => {
  const text = (count: number) => textOf([block('be?indigd '.repeat(count))])
  const whole = textOf([block('beëindigd? Ja.')])

  it('has five lost letters where the other has none', () => {
    expect([lostEncoding(whole, text(5)), lostEncoding(text(5), whole)]).toEqual([true, true])
    expect([lostEncoding(whole, text(4)), lostEncoding(text(9), text(1)), lostEncoding(whole, whole)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('lost signs and dashes with them, which are no change', () => {
    const isSign = (before: string[], after: string[]) => onlyLostSigns(change(texts(before), texts(after)))
    expect(isSign(['Artikel 15 - Prijs € 2, indien ≤ 1'], ['Artikel 15 ? Prijs ? 2, indien ? 1'])).toBe(true)
    expect(isSign(['Prijs € 2'], ['Prijs ? 3'])).toBe(false)
    expect(isSign(['Prijs $ 2'], ['Prijs ? 2'])).toBe(false)
    expect([isSign([], ['?']), isSign(['?'], [])]).toEqual([false, false])
    expect([isSign(['Prijs € 2'], ['Prijs 2']), isSign(['Prijs 2'], ['Prijs € 2'])]).toEqual([false, false])
  })
})

it('is a change when entries of a list came', () => {
  expect(onlyWrittenOtherwise(change([], [item('We sell it')]))).toBe(false)
})
