import { describe, expect, it } from 'vitest'
import {
  onlyAddressesShown,
  onlyEntriesLinked,
  onlyNumbersOfHeadings,
  withoutLostDates,
} from '../../src/terms/compare/shown-otherwise-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, heading, item, row } from './blocks.ts'

describe('a line that stated a date and went', () => {
  const date = block('Last updated: 3 May 2025')
  const other = block('Effective 1 June 2025')
  const rule = block('We keep it.')

  it('is left out of a change, with its words', () => {
    expect(withoutLostDates(change([date, rule], [block('We sell it.')], 2))).toEqual({
      ...change([rule], [block('We sell it.')], 2),
    })
    expect(withoutLostDates(change([rule, date, other], []))).toEqual(change([rule], []))
  })

  it('takes no more words than went', () => {
    expect(withoutLostDates({ ...change([date, rule], []), wordsRemoved: 2 }).wordsRemoved).toBe(0)
  })

  it('is part of the change when a date is in its place, or came beside it', () => {
    const moved = change([date, rule], [other, rule])
    expect(withoutLostDates(moved)).toBe(moved)
    const came = change([rule], [date])
    expect(withoutLostDates(came)).toBe(came)
  })

  it.each([
    'Effective Date: 3 May 2025',
    'Last updated on May 3, 2025 at 8:19 PM GMT',
    'Last revised 2025-05-03 13:45:10',
    'Dernière mise à jour : 3 mai 2025',
    'Zuletzt geändert am 3. Mai 2025',
    'Última actualización: 3 de mayo de 2025',
    'Ultimo aggiornamento: 3 maggio 2025',
    'Stand: Mai 2025',
    '3 May 2025',
  ])('says when the document was written: %s', (text) => {
    expect(withoutLostDates(change([block(text), rule], []))).toEqual(change([rule], []))
  })

  it.each([
    ['a deadline', block('Opt-out deadline: 31 March 2026')],
    ['an end', block('Valid until 31 December 2026')],
    ['a row', row('Updated 3 May 2025')],
    ['a row without a name', row('', { text: 'Updated 3 May 2025' })],
    ['an entry', item('Updated 3 May 2025')],
  ])('is no line that names %s', (_what, line) => {
    const went = change([line, rule], [])
    expect(withoutLostDates(went)).toBe(went)
  })

  it('is hardly more than the date', () => {
    const said = change([block('On 3 May 2025 we pay all of it to you.')], [])
    expect(withoutLostDates(said)).toBe(said)
  })
})

describe('numbers that stick to headings', () => {
  it('say nothing when they come or go', () => {
    const numbered = [heading('1Our rights'), heading('12Our law')]
    const plain = [heading('Our rights'), heading('Our law')]
    expect(onlyNumbersOfHeadings(change(numbered, plain))).toBe(true)
    expect(onlyNumbersOfHeadings(change(plain, numbered))).toBe(true)
  })

  it.each([
    ['another heading', [heading('1Our rights')], [heading('Your rights')]],
    ['a name', [heading('3D rights')], [heading('D rights')]],
    ['three digits', [heading('123Our rights')], [heading('Our rights')]],
    ['a paragraph', [heading('Our rights'), block('## 1Our law')], [heading('Our rights'), block('## Our law')]],
    ['two headings that became one', [heading('Our'), heading('## Law')], [heading('Our## ## Law')]],
  ])('are part of %s', (_what, before, after) => {
    expect(onlyNumbersOfHeadings(change(before, after))).toBe(false)
  })
})

describe('an address in a sentence', () => {
  const shown = (before: string[], after: string[]) => {
    const [one, other] = [before, after].map((texts) => texts.map((text) => block(text))) as [Block[], Block[]]
    const came = onlyAddressesShown(change(one, other))
    expect(onlyAddressesShown(change(other, one))).toBe(came)
    return came
  }

  it.each([
    ['an e-mail address', 'Write to us at legal.team@mail.example.com now.'],
    ['a hidden one', 'Write to us at (email protected) now.'],
    ['a hidden one in brackets', 'Write to us at [email protected] now.'],
    ['a web address', 'Write to us at https://example.com/law, now.'],
    ['a web address without its protocol', 'Write to us at www.example.com now.'],
  ])('may be shown or not: %s', (_what, text) => {
    expect(shown([text], ['Write to us at now.'])).toBe(true)
  })

  it('may be shown in several paragraphs, in all of them', () => {
    const [a, b] = ['Write to us at a@example.com.', 'Or to him at b@example.com.']
    expect(shown([a, b], ['Write to us at.', 'Or to him at.'])).toBe(true)
    expect(shown([a, b], ['Write to us at.', 'Or to her at.'])).toBe(false)
    expect(shown([a, b], ['Write to us at.'])).toBe(false)
    expect(shown([a, a], [a, a])).toBe(false)
  })

  it.each([
    ['a word went with it', 'Write to us at a@example.com now.', 'Write to us now.'],
    ['another is in its place', 'Write to us at a@example.com.', 'Write to us at b@example.com.'],
    ['one of two went', 'Write to us at a@example.com, b@example.com.', 'Write to us at a@example.com.'],
    ['it is a name', 'We share it with Example.com too.', 'We share it with too.'],
    ['it is all of the line but three words', 'Write to us: a@example.com', 'Write to us:'],
  ])('is a change when %s', (_what, before, after) => {
    expect(shown([before], [after])).toBe(false)
  })

  it('may be one of several when the word before it was left alone', () => {
    const both = 'You read this on www.example.com (the Site), or write to a@example.com.'
    expect(shown([both], ['You read this on (the Site), or write to a@example.com.'])).toBe(true)
    expect(shown([both], ['You read this on www.example.com (the Site), or write to.'])).toBe(true)
    expect(shown([both], ['You read this on (the Site), or write to b@example.com.'])).toBe(false)
    expect(shown(['The key is at example.com/key/, with a guide.'], ['The key is at , with a guide.'])).toBe(true)
  })

  it('needs four words beside it, and a paragraph', () => {
    expect(shown(['Write to us at a@example.com'], ['Write to us at'])).toBe(true)
    expect(shown([], [])).toBe(false)
  })
})

describe('an entry of a list that leads somewhere now', () => {
  const linked = (before: string[], after: string[]) => {
    const [one, other] = [before, after].map((texts) => texts.map((text) => row(text))) as [Block[], Block[]]
    const came = onlyEntriesLinked(change(one, other))
    expect(onlyEntriesLinked(change(other, one))).toBe(came)
    return came
  }

  it('says the same, as all others beside it do', () => {
    expect(linked(['Privacy notice'], ['Privacy Notice (example.com/privacy)'])).toBe(true)
    expect(linked(['A', 'B'], ['A (example.com/a)', 'B (example.com/b)'])).toBe(true)
  })

  it.each([
    ['when it leads elsewhere', ['A (example.com/a)'], ['A (example.com/b)']],
    ['with another name', ['A'], ['B (example.com/a)']],
    ['beside one that came', ['A'], ['A (example.com/a)', 'B (example.com/b)']],
    ['beside one with another name', ['A', 'B'], ['A (example.com/a)', 'C (example.com/b)']],
    ['when words stand in brackets', ['A'], ['A (not for you)']],
    ['when nothing came', ['A'], ['A']],
    ['where there is none', [], []],
  ])('is a change %s', (_what, before, after) => {
    expect(linked(before, after)).toBe(false)
  })
})
