import { describe, expect, it } from 'vitest'
import { areInTwoLanguages } from '../../../src/terms/compare/doubts/language-rules.ts'
import { notADocument } from '../../../src/terms/compare/doubts/not-a-document-rules.ts'
import { forAnotherRegion } from '../../../src/terms/compare/doubts/region-rules.ts'
import { topicsOf } from '../../../src/terms/compare/topics-rules.ts'
import { type Block, readText } from '../../../src/terms/normalize/normal-form-rules.ts'
import { block, change, textOf, words } from '../normalize/blocks.ts'

const ENGLISH = block(
  'These conditions apply to every use of the services that we offer, and whoever uses them agrees. We may change them with a notice of one month, and then everyone can end the agreement at once without any costs. What was paid in advance for the time after that is given back within a few days by the same way.',
)
const GERMAN = block(
  'Diese Bedingungen gelten für jede Nutzung der angebotenen Dienste, und wer sie nutzt, stimmt ihnen zu. Wir können sie mit einer Frist von einem Monat ändern, dann kann jeder den Vertrag sofort und ohne Kosten beenden. Was für die Zeit danach im Voraus bezahlt wurde, wird auf demselben Weg binnen weniger Tage erstattet.',
)
const cut = (one: Block, length: number) => block(one.text.slice(0, length))

describe('two texts in two languages', () => {
  it('are known by their letters, from 300 characters on', () => {
    expect(areInTwoLanguages([ENGLISH], [GERMAN])).toBe(true)
    expect(areInTwoLanguages([ENGLISH], [ENGLISH])).toBe(false)
    expect(areInTwoLanguages([cut(ENGLISH, 250)], [GERMAN])).toBe(false)
    expect(areInTwoLanguages([ENGLISH], [cut(GERMAN, 250)])).toBe(false)
    expect(areInTwoLanguages([], [GERMAN])).toBe(false)
  })

  it('share less than 30 % of their words, of which names and numbers are none', () => {
    const shared = (count: number) => Array.from({ length: count }, (_, i) => `same${'abcdefghijklmnopqrstuvwxyz'[i]}`)
    const differentWords = new Set(ENGLISH.words).size
    const both = (count: number) =>
      areInTwoLanguages([ENGLISH, block(shared(count).join(' '))], [GERMAN, block(shared(count).join(' '))])
    expect(both(5)).toBe(true)
    expect(both(Math.ceil(differentWords / 2))).toBe(false)
  })
})

describe('a page for another region', () => {
  const AMERICAN = ['organize', 'center', 'behavior', 'license']
  const BRITISH = ['organise', 'centre', 'behaviour', 'licence']
  const UNDATED = readText('# Terms')
  const spelled = (before: string[], after: string[]) =>
    forAnotherRegion(UNDATED, UNDATED, [change([block(before.join(' '))], [block(`${after.join(' ')} too`)])])

  it('has three words in the spelling of another country, and none the other way', () => {
    expect(spelled(AMERICAN, BRITISH)).toBe(true)
    expect(spelled(BRITISH, AMERICAN)).toBe(true)
    expect(spelled(AMERICAN.slice(0, 3), BRITISH.slice(0, 3))).toBe(true)
    expect(spelled(AMERICAN.slice(0, 2), BRITISH.slice(0, 2))).toBe(false)
    expect(spelled([...AMERICAN, 'honour'], [...BRITISH, 'honor'])).toBe(false)
  })

  it('writes the day of the same date on the other side of the month', () => {
    const read = (date: string) => readText(`# Terms\n\n${date}\n\nYou pay each month for what you use.`)
    const turned = (before: string, after: string) => forAnotherRegion(read(before), read(after), [])
    expect(turned('Effective March 2, 2026', 'Effective from 2 March 2026')).toBe(true)
    expect(turned('Effective from 2 March 2026', 'Effective March 2, 2026')).toBe(true)
    expect(turned('Effective March 2, 2026', 'Effective from 3 March 2026')).toBe(false)
    expect(turned('Effective March 2, 2026', 'Updated: March 2nd, 2026')).toBe(false)
    expect(turned('Effective 2 March 2026', 'Updated: 2 March 2026')).toBe(false)
    expect(turned('Effective March 2, 2026', 'Effective 2026-03-02')).toBe(false)
    expect(turned('Effective 2026-03-02', 'Effective 2 March 2026')).toBe(false)
    expect(turned('France', 'Europe')).toBe(false)
    expect(
      turned('We said so in a long sentence on March 2, 2026.', 'We said so in a long sentence on 2 March 2026.'),
    ).toBe(false)
  })

  it('speaks for another company of the same name', () => {
    const read = (text: string) => readText(`# Terms\n\n${text}`)
    const changed = (before: string, after: string) => forAnotherRegion(read(before), read(after), [])
    const europe = 'This is the contract with Acme Platforms Ireland Limited.'
    const america = 'This is the contract with Acme Platforms, Inc.'
    expect(changed(europe, america)).toBe(true)
    expect(changed(america, `${europe} It sends data to Acme Platforms, Inc.`)).toBe(true)
    const both = (europeans: number, americans: number) =>
      `${`${europe} `.repeat(europeans)}${`${america} `.repeat(americans)}`
    const named = 'The Company may change this. The Company says so. '
    expect(changed(named + europe, named + america)).toBe(true)
    expect(changed(both(4, 1), both(1, 4))).toBe(true)
    expect(changed(both(4, 2), both(2, 4))).toBe(true)
    expect(changed(both(4, 2), both(3, 4))).toBe(false)
    expect(changed(both(4, 3), both(2, 4))).toBe(false)
    expect(changed('Acme PBC offers this.', 'Acme Ireland, Limited offers this.')).toBe(true)
    expect(changed('Acme International Company offers this.', 'Acme, Inc. offers this.')).toBe(true)
    expect(changed('Acme Inc offers this.', 'Acme, Inc. offers this.')).toBe(false)
    expect(changed('Acme L.L.C. offers this.', 'Acme, LLC offers this.')).toBe(false)
    expect(changed(europe, europe.replaceAll('Acme', 'Bolt'))).toBe(false)
    expect(changed(`${europe} Made by Bolt Inc.`, `${europe} Made by Bolt Ltd.`)).toBe(false)
    expect(changed(`${europe} ${america}`, `${europe} ${america} ${america}`)).toBe(false)
    expect(changed(europe, 'It is not a matter of limited use.')).toBe(false)
    expect(
      changed(`It sends data to:\n\n- Acme, Inc.\n- Bolt, Inc.`, `It sends data to:\n\n- Acme Ltd\n- Bolt, Inc.`),
    ).toBe(false)
  })

  it('does not only bring new words, nor spell in both ways', () => {
    expect(spelled(['we do so'], BRITISH)).toBe(false)
    expect(spelled([...AMERICAN, ...BRITISH], BRITISH)).toBe(false)
  })

  it('is not one whose French words are spelled as since 1990', () => {
    expect(spelled(['évènement', 'procèderons', 'règlementaire'], ['événement', 'procéderons', 'réglementaire'])).toBe(
      false,
    )
  })
})

describe('a text that is not a document', () => {
  const filler = (count: number) => words(count)
  const text = (...blocks: Block[]) => textOf(blocks)
  const WRONG = block('Something went wrong')
  const AGAIN = block('Please try again')

  it('is empty, or has fewer than 20 words', () => {
    expect(notADocument(text(), [])).toBe('empty')
    expect(notADocument(text(), ['needs a browser'])).toBe('needs a browser')
    expect(notADocument(text(filler(19)), [])).toBe('too short')
    expect(notADocument(text(filler(20)), [])).toBeUndefined()
  })

  it('says so in at most 150 words, or at the top of at most 400', () => {
    const below = (count: number) => notADocument(text(filler(count - 3), WRONG), [])
    expect([below(150), below(151)]).toEqual(['error page', undefined])
    const above = (count: number) => notADocument(text(WRONG, filler(count - 3)), [])
    expect([above(400), above(401)]).toEqual(['error page', undefined])
  })

  it('says it where the text in force does not, unless it is much shorter now', () => {
    const page = text(filler(97), WRONG)
    expect(notADocument(page, [], text(filler(97), WRONG))).toBeUndefined()
    expect(notADocument(page, [], text(filler(200)))).toBe('error page')
    expect(notADocument(page, [], text(filler(197), WRONG))).toBeUndefined()
    expect(notADocument(page, [], text(filler(198), WRONG))).toBe('error page')
    expect(notADocument(text(filler(397), AGAIN), [], text(filler(801)))).toBe('error page')
    expect(notADocument(text(filler(397), AGAIN), [], text(filler(800)))).toBeUndefined()
  })

  it('is a form where the page has one and few words', () => {
    const form = (count: number, earlier?: number) =>
      notADocument(text(filler(count)), ['login form'], earlier === undefined ? undefined : text(filler(earlier)))
    expect([form(149), form(150)]).toEqual(['login form', undefined])
    expect([form(399, 799), form(400, 801)]).toEqual(['login form', undefined])
    expect(form(399, 798)).toBeUndefined()
  })

  it('has an error in place of a passage of 50 words', () => {
    const earlier = (lost: number) => text(filler(500), words(lost, 'lost'))
    const failed = (lost: number, error = 'Sorry, this page is not available') =>
      notADocument(text(filler(500), block(error)), [], earlier(lost))
    expect([failed(50), failed(49)]).toEqual(['part of the page is an error', undefined])
    expect(failed(50, '## Internal server error')).toBe('part of the page is an error')
    expect(failed(50, `Something went wrong ${Array(27).fill('a').join(' ')}`)).toBe('part of the page is an error')
    expect(failed(50, `Something went wrong ${Array(28).fill('a').join(' ')}`)).toBeUndefined()
    expect(failed(50, 'The site is good')).toBeUndefined()
  })

  it('is a copy that a network shows of a site that does not answer, however long', () => {
    const bar = "This website is currently offline. Cloudflare's Always Online shows a snapshot of this web page."
    expect(notADocument(text(block(bar), filler(2_000)), [])).toBe('a copy from an archive')
    expect(notADocument(text(filler(2_000), block(bar)), [])).toBeUndefined()
  })

  it('begins with two lines about an error, when no text of it is known', () => {
    const [title, line] = [block("## This page isn't available"), block('An unexpected error has occurred.')]
    const first = (...blocks: Block[]) => notADocument(text(...blocks, filler(500)), [])
    expect(first(title, line)).toBe('part of the page is an error')
    expect([first(title), first(line), first(block('Terms'), title, line)]).toEqual([undefined, undefined, undefined])
    const same = text(filler(500), WRONG, words(50, 'lost'))
    expect(notADocument(text(filler(500), WRONG), [], same)).toBeUndefined()
  })
})

describe('the topics of a change', () => {
  it.each([
    ['we are liable', 'liability'],
    ['5 € more', 'price'],
    ['personal data', 'data'],
    ['to train our general-purpose artificial intelligence models', 'data'],
    ['within 30 days', 'dates'],
    ['our affiliates', 'parties'],
    ['we may terminate it', 'termination'],
    ['by arbitration', 'disputes'],
  ])('follow from its words: %s', (text, topic) => {
    expect(topicsOf(change([], [block(text)]))).toEqual([topic])
    expect(topicsOf(change([block(text.toUpperCase())], []))).toEqual([topic])
  })

  it('follow from its heading too, and may be several or none', () => {
    expect(topicsOf(change([], [block('we do so', { section: 'Fees' })]))).toEqual(['price'])
    expect(topicsOf(change([block('we terminate it')], [block('there are damages')]))).toEqual([
      'liability',
      'termination',
    ])
    expect(topicsOf(change([], [block('we do so')]))).toEqual([])
  })

  it('follow from the sentences that changed, not from those beside them in the paragraph', () => {
    const before = 'You pay the fees in advance. We may use cookies. Courts of Berlin decide.'
    const after = 'You pay the fees in advance. We never use cookies. Courts of Berlin decide.'
    expect(topicsOf(change([block(before)], [block(after)]))).toEqual(['data'])
    const clauses = (last: string) => `You shall: pay the fees; not sell personal data; ${last}.`
    expect(topicsOf(change([block(clauses('be polite'))], [block(clauses('terminate it'))]))).toEqual(['termination'])
    expect(topicsOf(change([block('Pay the fees. Now.')], [block('Now. Pay the fees.')]))).toEqual([])
  })

  it('follow from a heading for what is below it, but not for the date of the document', () => {
    const dated = (year: number) => block(`Last updated: May 1, ${year}`, { section: 'Privacy Policy' })
    expect(topicsOf(change([dated(2025)], [dated(2026)]))).toEqual(['dates'])
    expect(topicsOf(change([], [block('we do so', { section: 'Privacy Policy' })]))).toEqual(['data'])
  })
})
