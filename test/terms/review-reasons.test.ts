import { describe, expect, it } from 'vitest'
import { reviewReasons } from './read.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from './texts.ts'

describe('a changed text needs a person', () => {
  it('when it has less than half the words', () => {
    expect(reviewReasons(sentences(60, 'rule'), sentences(20, 'rule'))).toContain('less than half the size')
  })
  it('when it has more than twice the words', () => {
    expect(reviewReasons(TERMS, `${TERMS}\n\n${sentences(80, 'rule')}`)).toEqual(['more than twice the size'])
  })
  it('when it is in another language', () => {
    const french = 'Les présentes conditions régissent votre utilisation de nos services et vous les acceptez. '.repeat(
      12,
    )
    expect(reviewReasons(TERMS, french)).toEqual(['another language'])
  })
  it('when a large part of it is in another language', () => {
    const german = 'Diese Bedingungen gelten für die Nutzung der Dienste, und Sie stimmen ihnen mit der Nutzung zu. '
    const english = 'These conditions apply to every use of the services that we offer, and using them means consent. '
    const page = (part: string) => `${TERMS}\n\n${part.repeat(8)}`
    expect(reviewReasons(page(english), page(german))).toEqual(['another language'])
  })
  it('when it is in another language and has the same names', () => {
    const names = ['Cloud One', 'Mail Two', 'Pay Three', 'Index Four']
      .map((name) => `| ${name} Analytics | session |`)
      .join('\n')
    const table = `| Name | Purpose |\n| --- | --- |\n${names}`
    const french = 'Les présentes conditions régissent votre utilisation de nos services et vous les acceptez. '.repeat(
      12,
    )
    expect(reviewReasons(`${TERMS}\n\n${table}`, `${french}\n\n${table}`)).toEqual(['another language'])
  })
  it('not for its language when its words stayed, however its letters are counted', () => {
    const bosnian =
      'Korisnik je dužan poštovati uvjete korištenja i odgovara za sadržaj oglasa koji je predao na stranici. '
    const text = bosnian.repeat(12)
    expect(reviewReasons(text, `${text}\n\nLozinku treba mijenjati i čuvati na sigurnom mjestu.`)).toEqual([])
  })
  it('when it is another text', () => {
    const other = `# Careers\n\n${'Join the people who build things that matter to the world and grow with us. '.repeat(13)}`
    expect(reviewReasons(TERMS, other)).toEqual(['another text'])
  })
  it('when it is in the other kind of English, and says nearly the same', () => {
    const american = 'You license your color schemes to our organization.\n\nThird Party Claims: we honor Section 7.'
    const british = 'You licence your colour schemes to our organisation.\n\nThird-party claims: we honour § 7.'
    const page = (part: string) => `${TERMS}\n\n${sentences(60, 'rule')}\n\n${part}`
    expect(reviewReasons(page(american), page(british))).toEqual(['the other kind of English'])
    expect(reviewReasons(page(british), page(american))).toEqual(['the other kind of English'])
    const [longer, shorter] = [`${american} You have 30 days.`, `${british} You have 14 days.`]
    expect(reviewReasons(page(longer), page(shorter))).toEqual([])
    expect(reviewReasons(page(american), page('You licence your color schemes to our organisation.'))).toEqual([])
    const added = (part: string) => reviewReasons(page(american), `${page(british)}\n\n${part}`)
    expect(added(sentences(3, 'duty'))).toEqual([])
    expect(added('You may not appeal.')).toEqual([])
    expect(reviewReasons(page(american), replaceIn(page(british), 'March 3, 2025', 'March 4, 2025'))).toEqual([])
  })
  it('never for an ordinary change', () => {
    expect(reviewReasons(TERMS, SUBSTANTIVE)).toEqual([])
    expect(reviewReasons(TERMS, replaceIn(TERMS, '## 4. Liability', '## 4. Limits of liability'))).toEqual([])
  })
})
