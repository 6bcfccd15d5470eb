import { describe, expect, it } from 'vitest'
import { onlyForm } from '../../src/terms/compare/page-forms-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, heading, item, row, words } from './blocks.ts'

const PROSE = block('These terms apply from today.')
const FORM = ['Did this doc help you?', 'Email address', 'Submit'].map((text) => block(text))

/** Whether these paragraphs at the end of a page are a form, when they come and when they go. */
function isForm(blocks: Block[], below: Block[] = []): boolean {
  const came = onlyForm(change([], blocks, 1), [PROSE, ...below])
  expect(onlyForm(change(blocks, [], 1), [PROSE, ...blocks, ...below])).toBe(came)
  return came
}
const withFirst = (text: string) => isForm([block(text), ...FORM.slice(1)])

describe('a form below a document', () => {
  it.each([
    'Did this article help you?',
    'Was this page useful?',
    'War dieser Artikel hilfreich?',
    'Cet article vous a-t-il été utile ?',
    '¿Te ha resultado útil?',
    'Ti è stata utile?',
    'Foi útil?',
    'Was dit nuttig?',
    'Not a member? Subscribe to stay in the loop.',
    'Sign up for our newsletter',
    'Newsletter',
    'Sorry about that! Care to tell us more?',
    'What was unhelpful?',
  ])('asks whether the page helped, or for an address: %s', (text) => {
    expect(withFirst(text)).toBe(true)
  })

  it.each([
    ['another question', 'Who are we?'],
    ['another paragraph', 'We keep it.'],
    ['a word of another', 'Newsletters2'],
  ])('begins with what it asks, and not with %s', (_what, text) => {
    expect(withFirst(text)).toBe(false)
  })

  it.each([
    'E-mail*',
    'First name',
    "S'inscrire",
    'Absenden',
    'Correo electrónico',
    'Invia',
    'Verzenden',
    'Inscrever-se',
  ])('has fields: %s', (text) => {
    expect(isForm([FORM[0]!, block(text), FORM[2]!])).toBe(true)
  })

  it.each([
    'That is not a valid email format.',
    'Thank you! Your feedback has been submitted.',
    'Required Choose an option It was unclear Other',
    'Let us know what we can do better Optional',
    'Adresse email invalide',
    'Keine gültige E-Mail',
    'Correo no válido',
  ])('answers: %s', (text) => {
    expect(isForm([FORM[0]!, block(text), FORM[2]!])).toBe(true)
  })

  it('has three such lines, and headings and other lines between them', () => {
    expect([isForm(FORM.slice(0, 2)), isForm(FORM)]).toEqual([false, true])
    expect(isForm([heading('Did this doc help you?'), block('We improve it.'), ...FORM.slice(1)])).toBe(true)
    expect(isForm([])).toBe(false)
  })

  it('has up to 150 words', () => {
    const count = FORM.reduce((sum, one) => sum + one.words.length, 0)
    expect([isForm([...FORM, words(150 - count)]), isForm([...FORM, words(151 - count)])]).toEqual([true, false])
  })

  it.each([
    ['an obligation', block('You agree to it.')],
    ['what is done with data', block('We keep your personal data.')],
    ['an entry of a list', item('Email')],
    ['a row', row('Email')],
  ])('is a part of the document with %s', (_what, one) => {
    expect(isForm([...FORM, one])).toBe(false)
  })

  it('is a part of the document above something else, or in the place of something', () => {
    expect(isForm(FORM, [PROSE])).toBe(false)
    expect(onlyForm(change([block('We keep it.')], FORM, 1), [PROSE, block('We keep it.')])).toBe(false)
  })
})
