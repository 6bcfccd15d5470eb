import { describe, expect, it } from 'vitest'
import { doubtsOf } from '../compare/read.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from '../texts.ts'

const MISSING = 'most of the text is missing'
const LANGUAGE = 'another language'
const dated = (day: string, text: string) => `Last updated: ${day}\n\n${text}`

describe('what is unusual about a changed text', () => {
  it('is that most of it is missing', () => {
    expect(doubtsOf(sentences(60, 'rule'), sentences(20, 'rule'))).toEqual([MISSING, 'less than half the size'])
  })

  it('is that it is another text', () => {
    const other = `# Careers\n\n${'Join the people who build things that matter to the world and grow with us. '.repeat(13)}`
    expect(doubtsOf(TERMS, other)).toContain(MISSING)
  })

  it('is that it was rewritten, where a fifth of it is kept and it is not much shorter', () => {
    const words = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}`).join(' ')
    const rewritten = (kept: number, others: number) =>
      doubtsOf(words('rule', 600), `${words('rule', kept)} ${words('other', others)}`)
    expect(rewritten(150, 450)).toEqual(['less than half of the text is kept'])
    expect(rewritten(150, 160)).toEqual(['less than half of the text is kept'])
    expect(rewritten(100, 500)).toEqual([MISSING])
    expect(rewritten(150, 140)).toEqual([MISSING, 'less than half the size'])
    expect(rewritten(330, 270)).toEqual([])
  })

  it('is that a tenth of it went and nothing came, but not that a part was replaced', () => {
    const [whole, part] = [sentences(60, 'rule'), sentences(52, 'rule')]
    expect(doubtsOf(whole, part)).toEqual(['a large part is missing'])
    expect(doubtsOf(whole, sentences(56, 'rule'))).toEqual([])
    expect(doubtsOf(whole, `${part}\n\n${sentences(8, 'duty')}`)).toEqual([])
  })

  it('is not that much is missing where a later date says why', () => {
    const before = sentences(60, 'rule')
    const after = Array.from({ length: 700 }, (_, i) => `other${i}`).join(' ')
    expect(doubtsOf(dated('3 March 2025', before), dated('4 March 2025', after))).toEqual([
      'less than half of the text is kept',
    ])
    expect(doubtsOf(dated('4 March 2025', before), dated('3 March 2025', after))).toEqual([MISSING, 'an earlier date'])
  })

  it('is its size', () => {
    expect(doubtsOf(TERMS, `${TERMS}\n\n${sentences(80, 'rule')}`)).toEqual(['more than twice the size'])
  })

  const FRENCH = 'Les présentes conditions régissent votre utilisation de nos services et vous les acceptez. '.repeat(
    12,
  )

  it('is its language', () => {
    expect(doubtsOf(TERMS, FRENCH)).toEqual([LANGUAGE])
  })

  it('is that a large part of it is in another language', () => {
    const german = 'Diese Bedingungen gelten für die Nutzung der Dienste, und Sie stimmen ihnen mit der Nutzung zu. '
    const english = 'These conditions apply to every use of the services that we offer, and using them means consent. '
    const page = (part: string) => `${TERMS}\n\n${part.repeat(8)}`
    expect(doubtsOf(page(english), page(german))).toEqual([LANGUAGE])
  })

  it('is its language, although it has the same names', () => {
    const names = ['Cloud One', 'Mail Two', 'Pay Three', 'Index Four']
      .map((name) => `| ${name} Analytics | session |`)
      .join('\n')
    const table = `| Name | Purpose |\n| --- | --- |\n${names}`
    expect(doubtsOf(`${TERMS}\n\n${table}`, `${FRENCH}\n\n${table}`)).toEqual([LANGUAGE])
  })

  it('is not its language when its words stayed, however its letters are counted', () => {
    const bosnian =
      'Korisnik je dužan poštovati uvjete korištenja i odgovara za sadržaj oglasa koji je predao na stranici. '
    const text = bosnian.repeat(12)
    expect(doubtsOf(text, `${text}\n\nLozinku treba mijenjati i čuvati na sigurnom mjestu.`)).toEqual([])
  })

  it('is nothing for an ordinary change', () => {
    expect(doubtsOf(TERMS, SUBSTANTIVE)).toEqual([])
    expect(doubtsOf(TERMS, replaceIn(TERMS, '## 4. Liability', '## 4. Limits of liability'))).toEqual([])
  })
})
