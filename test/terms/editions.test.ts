import { describe, expect, it } from 'vitest'
import { areInTwoLanguages, onlyTranslated } from '../../src/terms/compare/language-rules.ts'
import { notADocument } from '../../src/terms/compare/not-a-document-rules.ts'
import { forAnotherRegion } from '../../src/terms/compare/region-rules.ts'
import { isNoTranslation, isOtherEdition, reviewReasons } from '../../src/terms/compare/review-reasons-rules.ts'
import { inOtherSpelling } from '../../src/terms/compare/spelling-variant-rules.ts'
import { topicsOf } from '../../src/terms/compare/topics-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, textOf, words } from './blocks.ts'

const ENGLISH = block(
  'These conditions apply to every use of the services that we offer, and whoever uses them agrees. We may change them with a notice of one month, and then everybody can end the agreement at once without any costs. What was paid in advance for the time after that is given back within a few days by the same way.',
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
    const names = { ...block(''), words: ['Alpha', 'Beta', 'X1', '5', 'a'] }
    expect(areInTwoLanguages([ENGLISH, names], [GERMAN, names], 300, 0.05)).toBe(true)
  })

  it('are judged by their first 4,000 characters', () => {
    const many = (one: Block) => Array<Block>(14).fill(one)
    const mostlyGerman = [...many(ENGLISH), ...many(GERMAN), ...many(GERMAN), ...many(GERMAN), ...many(GERMAN)]
    expect(areInTwoLanguages(mostlyGerman, many(GERMAN), 300, 2)).toBe(true)
  })

  it('are one passage that was translated, from 150 characters on', () => {
    const translated = (length: number) => onlyTranslated(change([cut(ENGLISH, length)], [cut(GERMAN, length)]))
    expect([translated(170), translated(140)]).toEqual([true, false])
    expect(onlyTranslated(change([ENGLISH], []))).toBe(false)
    expect(onlyTranslated(change([], [GERMAN]))).toBe(false)
  })

  it('are no translation when one is less than half as long: a part of it went', () => {
    const parts = (share: number) => onlyTranslated(change([ENGLISH], [cut(GERMAN, ENGLISH.text.length * share)]))
    expect([parts(0.6), parts(0.45)]).toEqual([true, false])
    const back = (share: number) => onlyTranslated(change([cut(GERMAN, ENGLISH.text.length * share)], [ENGLISH]))
    expect([back(0.6), back(0.45)]).toEqual([true, false])
  })
})

describe('a page for another region', () => {
  const page = (company: string, currency: string, region: string, more = '') =>
    textOf([
      block(`Terms for ${region}.`),
      block(`They are an agreement with ${company}.`),
      block(`${currency}20 a month. ${more}`),
    ])
  const american = page('Example, Inc', '$', 'users in the United States')

  it('differs in two of company, currency, region and spelling', () => {
    expect(forAnotherRegion(american, page('Example GmbH', '€', 'users in the United States'))).toBe(true)
    expect(forAnotherRegion(american, page('Example GmbH', '$', 'users in Switzerland'))).toBe(true)
    expect(forAnotherRegion(american, page('Example Inc', '€', 'users in the European Union'))).toBe(true)
    expect(forAnotherRegion(american, page('Example GmbH', '$', 'users in the United States'))).toBe(false)
    expect(forAnotherRegion(american, page('Example Inc', '$', 'users in the United States'))).toBe(false)
  })

  it('does not differ in what one of both does not name', () => {
    expect(forAnotherRegion(american, page('us', '€', 'all users'))).toBe(false)
    expect(forAnotherRegion(page('us', '€', 'all users'), american)).toBe(false)
  })

  it('is spelled in its own way, by six words and three to one', () => {
    const american6 = 'organize, organized, realize, realized, color, behavior'
    const british6 = 'organise, organised, realise, realised, colour, behaviour'
    const spelled = (before: string, after: string) =>
      forAnotherRegion(page('Example Inc', '$', 'all', before), page('Example GmbH', '$', 'all', after))
    expect(spelled(american6, british6)).toBe(true)
    expect(spelled(british6, american6)).toBe(true)
    expect(spelled(american6, british6.replace(', behaviour', ''))).toBe(false)
    expect(spelled(american6, `${british6}, realize, realized`)).toBe(false)
  })

  it('names its region in its first twelve paragraphs', () => {
    const at = (index: number, region: string) =>
      textOf([...Array<Block>(index).fill(block('a')), block(region), block('€5')])
    const other = textOf([block('in the united states'), block('$5')])
    expect(forAnotherRegion(other, at(11, 'in Switzerland'))).toBe(true)
    expect(forAnotherRegion(other, at(12, 'in Switzerland'))).toBe(false)
  })

  it('has the currency and the company that it names most often', () => {
    const before = page('Example, Inc', '$', 'all', '€1 $2 by Other Ltd for Example, Inc')
    expect(forAnotherRegion(before, page('Example, Inc', '$', 'all'))).toBe(false)
    expect(forAnotherRegion(before, page('Other Ltd', '€', 'all'))).toBe(true)
  })
})

describe('a page in the other kind of English', () => {
  const AMERICAN = block('we organize color and behavior in all that is said here')
  const BRITISH = block('we organise colour and behaviour in all that is said here')
  const rest = words(200)
  const other = (before: Block[], after: Block[], removed = 3, added = 3) =>
    inOtherSpelling(textOf([rest, ...before]), textOf([rest, ...after]), [
      { ...change(before, after, 1), wordsRemoved: removed, wordsAdded: added },
    ])

  it('has three words that are spelled the other way, all in one direction', () => {
    expect(other([AMERICAN], [BRITISH])).toBe(true)
    expect(other([BRITISH], [AMERICAN])).toBe(true)
    expect(other([AMERICAN], [block('we organise colour and behavior in all that is said here')])).toBe(false)
    const mixed = [
      block('we organize color and behavior at the centre'),
      block('we organise colour and behaviour at the center'),
    ]
    expect(other([mixed[0]!], [mixed[1]!])).toBe(false)
    expect(other([AMERICAN], [block('said here')])).toBe(false)
  })

  it('differs in 5 % and 60 of its words at most', () => {
    expect([other([AMERICAN], [BRITISH], 10, 10), other([AMERICAN], [BRITISH], 11, 10)]).toEqual([true, false])
    expect(other([AMERICAN], [BRITISH], 10, 11)).toBe(false)
    const large = (count: number) =>
      inOtherSpelling(textOf([words(2_000), AMERICAN]), textOf([words(2_000), BRITISH]), [
        { ...change([AMERICAN], [BRITISH], 1), wordsRemoved: count, wordsAdded: count },
      ])
    expect([large(60), large(61)]).toEqual([true, false])
  })

  it('has at most 20 words more than the other', () => {
    const more = (count: number) =>
      inOtherSpelling(textOf([words(2_000), AMERICAN]), textOf([words(2_000), BRITISH]), [
        { ...change([AMERICAN], [BRITISH], 1), wordsRemoved: 3, wordsAdded: count },
      ])
    expect([more(23), more(24)]).toEqual([true, false])
  })

  it('differs in no number, no date and no duty', () => {
    const end = (text: string) => block(`${AMERICAN.text} ${text}`)
    const british = (text: string) => block(`${BRITISH.text} ${text}`)
    expect(other([end('in 5 days')], [british('in 6 days')])).toBe(false)
    expect(other([end('you may')], [british('you must')])).toBe(false)
    expect(other([end('in 5 days')], [british('in 5 days')])).toBe(true)
  })
})

describe('a text that needs a review', () => {
  it('has less than half or more than twice the words', () => {
    const reasons = (before: number, after: number) => reviewReasons(textOf([words(before)]), textOf([words(after)]))
    expect(reasons(100, 50)).toEqual([])
    expect(reasons(100, 49)).toEqual(['less than half the size'])
    expect(reasons(50, 100)).toEqual([])
    expect(reasons(50, 101)).toEqual(['more than twice the size'])
  })

  it('is in another language, as a whole or in a large part', () => {
    expect(reviewReasons(textOf([ENGLISH]), textOf([GERMAN]))).toEqual(['another language'])
    const beside = words(150)
    expect(reviewReasons(textOf([beside, ENGLISH]), textOf([beside, GERMAN]))).toEqual(['another language'])
    const much = block(Array.from({ length: 1_000 }, (_, i) => `w${i}`).join(' '))
    expect(reviewReasons(textOf([much, ENGLISH]), textOf([much, GERMAN]))).toEqual([])
  })

  it('has hardly a run of three words in common', () => {
    const numbered = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ')
    const text = (same: number) => textOf([block(numbered(same, 'same')), block(numbered(100 - same, `own${same}x`))])
    const against = (same: number) =>
      reviewReasons(textOf([block(numbered(same, 'same')), block(numbered(100 - same, 'mine'))]), text(same))
    expect(against(10)).toEqual([])
    expect(against(9)).toEqual(['another text'])
    expect(reviewReasons(textOf([block('a b')]), textOf([block('a b')]))).toEqual([])
    expect(reviewReasons(textOf([block('a b')]), textOf([block('c d')]))).toEqual(['another text'])
  })

  it('is another edition in another language or spelling, unless it is also much shorter', () => {
    expect(isOtherEdition(['another language'])).toBe(true)
    expect(isOtherEdition(['the other kind of English'])).toBe(true)
    expect(isOtherEdition(['another language', 'less than half the size'])).toBe(false)
    expect(isOtherEdition(['another language', 'more than twice the size'])).toBe(true)
    expect(isOtherEdition(['another region'])).toBe(false)
    expect(isOtherEdition(['another edition of the same date'])).toBe(true)
    expect(isOtherEdition(['less than half the size', 'another edition of the same date'])).toBe(false)
    expect(isOtherEdition(['more than twice the size', 'another edition of the same date'])).toBe(false)
    expect(isOtherEdition([])).toBe(false)
  })
})

describe('a text in another language that is much shorter', () => {
  it('is no translation', () => {
    expect(isNoTranslation(['less than half the size', 'another language'])).toBe(true)
    expect(isNoTranslation(['another language'])).toBe(false)
    expect(isNoTranslation(['less than half the size'])).toBe(false)
  })
})

describe('a text that is no document', () => {
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
