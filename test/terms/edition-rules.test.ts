import { describe, expect, it } from 'vitest'
import { areInTwoLanguages } from '../../src/terms/compare/language-rules.ts'
import { forAnotherRegion } from '../../src/terms/compare/region-rules.ts'
import { reviewReasons } from '../../src/terms/compare/review-reasons-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, textOf, words } from './blocks.ts'

const ENGLISH = block(
  'These conditions apply to every use of the services that we offer, and whoever uses them agrees. We may change them with a notice of one month, and then everybody can end the agreement at once without any costs. What was paid in advance for the time after that is given back within a few days by the same way.',
)
const GERMAN = block(
  'Diese Bedingungen gelten für jede Nutzung der angebotenen Dienste, und wer sie nutzt, stimmt ihnen zu. Wir können sie mit einer Frist von einem Monat ändern, dann kann jeder den Vertrag sofort und ohne Kosten beenden. Was für die Zeit danach im Voraus bezahlt wurde, wird auf demselben Weg binnen weniger Tage erstattet.',
)
/** English of other words, which stays as it is. */
const KEPT = [
  'Our farm lies between green hills and an old river, where children swim during long summer afternoons. Cows graze near wooden fences while farmers mend broken gates. Every morning somebody collects fresh eggs, feeds hungry chickens, and opens heavy barn doors before breakfast.',
  'Later, visitors arrive from nearby towns carrying baskets, blankets, bread, cheese, apples, and bottles filled with cold lemonade. They sit beneath tall chestnut trees, tell funny stories, sing forgotten songs, and watch white clouds drift slowly above golden fields until evening comes.',
  'During winter our road often disappears under deep snow. Then neighbours borrow horses, repair wooden sledges, light warm fires, bake sweet cakes, knit thick woollen socks, read thin newspapers, play chess, and wait patiently for spring, whose gentle rain finally melts every frozen puddle.',
].map((text) => block(text))

describe('the language of a part', () => {
  const withPart = (kept: Block[], part: Block) => textOf([part, ...kept])

  it('counts from 15 % of the words on, of what went and of what came', () => {
    const least = Math.min(ENGLISH.words.length, GERMAN.words.length)
    const kept = KEPT.reduce((sum, one) => sum + one.words.length, 0)
    const most = Math.floor(least / 0.15) - ENGLISH.words.length - kept
    const reasons = (more: number) =>
      reviewReasons(withPart([...KEPT, words(more, 'home')], ENGLISH), withPart([...KEPT, words(more, 'home')], GERMAN))
    expect([reasons(most), reasons(most + 1)]).toEqual([['another language'], []])
  })

  it('is that of the paragraphs which are not in both texts', () => {
    expect(reviewReasons(withPart(KEPT, ENGLISH), withPart(KEPT, GERMAN))).toEqual(['another language'])
    expect(reviewReasons(withPart(KEPT, GERMAN), withPart(KEPT, ENGLISH))).toEqual(['another language'])
    expect(reviewReasons(withPart(KEPT, ENGLISH), withPart(KEPT, ENGLISH))).toEqual([])
  })

  it('does not count when it shares 30 % of the words of the shorter text', () => {
    const many = block(
      Array.from({ length: 100 }, (_, i) => `wort${String.fromCharCode(97 + (i % 26), 97 + i / 26)}`).join(' '),
    )
    const some = (count: number) => ({
      ...block(''),
      words: [...new Set(ENGLISH.words)].filter((word) => word.length > 1).slice(0, count),
    })
    const both = (count: number) => areInTwoLanguages([ENGLISH], [GERMAN, many, some(count)])
    const least = Math.ceil(new Set(ENGLISH.words.filter((word) => word.length > 1)).size * 0.3)
    expect([both(least - 2), both(least)]).toEqual([true, false])
  })
})

describe('the reason for a review', () => {
  it('may be the other kind of English, or another region', () => {
    const spelled = (text: string) => textOf([words(200), block(text)])
    const [american, british] = ['we organize color and behavior here', 'we organise colour and behaviour here']
    expect(reviewReasons(spelled(american), spelled(british))).toEqual(['the other kind of English'])
    const page = (company: string, currency: string) =>
      textOf([words(100), block(`An agreement with ${company}.`), block(`${currency}20 a month.`)])
    expect(reviewReasons(page('Example Inc', '$'), page('Example GmbH', '€'))).toEqual(['another region'])
  })

  it('is another text where less than a tenth of the runs of three words stayed, of the text that has fewer', () => {
    const reasons = (before: string, after: string) => reviewReasons(textOf([block(before)]), textOf([block(after)]))
    expect(reasons('a b c', 'a b c d')).toEqual([])
    expect(reasons('ab c d', 'a bc d')).toEqual(['another text'])
    expect(reasons('a b', 'a b c')).toEqual(['another text'])
    expect(reasons('a b c', 'a b')).toEqual(['another text'])
    const own = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ')
    // One run of ten: a tenth stayed.
    expect(reasons(`a b c ${own(9, 'x')}`, `a b c ${own(9, 'y')}`)).toEqual([])
    // 8 runs of 58, and of 118.
    expect(reasons(`${own(10, 'a')} ${own(50, 'x')}`, `${own(10, 'a')} ${own(110, 'y')}`)).toEqual([])
  })
})

describe('another edition of the same date', () => {
  const american = 'we organize and realize color, behavior, honor and labor here'
  const british = 'we organise and realise colour, behaviour, honour and labour here'
  const rest = block(Array.from({ length: 300 }, (_, i) => `w${i}`).join(' '))
  /** So much else differs that its spelling alone does not tell. */
  const page = (date: string, text: string, own: Block[], more: string[] = []) =>
    textOf([block(date), rest, block(text), ...own, ...more.map((one) => block(one))])
  const was = page('Effective: 3 March 2025', american, KEPT.slice(0, 2))
  const reasons = (date: string, text = british, more: string[] = []) =>
    reviewReasons(was, page(date, text, KEPT.slice(2), more))
  const EDITION = ['another edition of the same date']

  it('is spelled the other way, and states the same date however it writes it', () => {
    expect(reasons('Effective: 3 March 2025')).toEqual(EDITION)
    expect(reasons('Effective March 3, 2025')).toEqual(EDITION)
    expect(reasons('Effective: 3 March 2025', american)).toEqual([])
    expect(reasons('Effective: 3 March 2025', british.replace('labour', 'labor'))).toEqual([])
  })

  it('is none when the date is another one, earlier or later, or is not stated in both', () => {
    for (const date of ['Effective: 4 March 2025', 'Effective: 2 March 2025', 'Updated: 3 March 2025', 'About us'])
      expect(reasons(date), date).toEqual([])
    const undated = page('About us', american, KEPT.slice(0, 2))
    expect(reviewReasons(undated, page('About us', british, KEPT.slice(2)))).toEqual([])
    expect(reviewReasons(undated, page('Effective: 3 March 2025', british, KEPT.slice(2)))).toEqual([])
  })

  it('is none when either of two dates moved', () => {
    const [both, moved] = [
      'Effective: 3 March 2025. Updated: 1 March 2025',
      'Effective: 3 March 2025. Updated: 2 March 2025',
    ]
    const dated = page(both, american, KEPT.slice(0, 2))
    expect(reviewReasons(dated, page(both, british, KEPT.slice(2)))).toEqual(EDITION)
    expect(reviewReasons(dated, page(moved, british, KEPT.slice(2)))).toEqual([])
  })

  it('is none when it names a later day than the earlier text did: it may announce its change', () => {
    const announced = (day: string) => reasons('Effective: 3 March 2025', british, [`Our terms change on ${day}.`])
    expect(announced('4 March 2025')).toEqual([])
    expect(announced('3 March 2025')).toEqual(EDITION)
    expect(announced('2 March 2025')).toEqual(EDITION)
    // No day is sure: countries read it in two ways.
    expect(announced('05/04/2025')).toEqual(EDITION)
  })

  it('has the signs of another region, or is spelled the other way', () => {
    const region = (company: string, currency: string, date: string) =>
      textOf([block(date), words(100), block(`An agreement with ${company}.`), block(`${currency}20 a month.`)])
    const first = region('Example Inc', '$', 'Effective: 3 March 2025')
    expect(reviewReasons(first, region('Example GmbH', '€', 'Effective: 3 March 2025'))).toEqual(EDITION)
    expect(reviewReasons(first, region('Example GmbH', '€', 'Effective: 4 March 2025'))).toEqual(['another region'])
    expect(reviewReasons(first, region('Example GmbH', '$', 'Effective: 3 March 2025'))).toEqual([])
  })
})

describe('what tells a region', () => {
  const page = (company: string, currency: string, more: string[] = []) =>
    textOf([
      block('Terms for users in the United States.'),
      block(`They are an agreement with ${company}.`),
      block(`${currency}20 a month.`),
      ...more.map((text) => block(text)),
    ])

  it('is the company and the currency that are named most often, not first', () => {
    const first = page('Other Ltd', '€', ['$1 to Example Inc', '$2 to Example Inc'])
    expect(forAnotherRegion(first, page('Example Inc', '$'))).toBe(false)
    expect(forAnotherRegion(first, page('Other Ltd', '€'))).toBe(true)
  })

  it('is a company however it writes its comma, and no currency where there is none', () => {
    expect(forAnotherRegion(page('Example, Inc', '$'), page('Example Inc', '€'))).toBe(false)
    expect(forAnotherRegion(page('Example Inc', '$'), page('Example GmbH', ''))).toBe(false)
  })

  it('is the spelling of six words, each in a paragraph of its own, three to one', () => {
    const british = ['organise', 'organised', 'realise', 'realised', 'colour', 'behaviour']
    const american = ['organize', 'organized', 'realize', 'realized', 'color', 'behavior']
    const differ = (before: string[], after: string[]) =>
      forAnotherRegion(page('Example Inc', '$', before), page('Example GmbH', '$', after))
    expect(differ(british, american)).toBe(true)
    expect(differ(british, [...british, 'realize', 'realized'])).toBe(false)
    expect(differ(british, [...american, 'organise', 'realise'])).toBe(false)
    expect(differ(british, [...american, ...american, 'organise'])).toBe(true)
  })
})
