import { describe, expect, it } from 'vitest'
import { isBoilerplate, withoutHints } from '../../src/terms/normalize/boilerplate-rules.ts'
import { consentWindows } from '../../src/terms/normalize/consent-window-rules.ts'
import { withoutIndex } from '../../src/terms/normalize/index-rules.ts'
import { isSentence } from '../../src/terms/normalize/label-rules.ts'
import { introduces, linkLines } from '../../src/terms/normalize/link-lists-rules.ts'
import { isPageLine, withoutOffers } from '../../src/terms/normalize/page-lines-rules.ts'
import { withoutQuestionMenus } from '../../src/terms/normalize/question-menu-rules.ts'
import { withoutRelated } from '../../src/terms/normalize/related-pages-rules.ts'
import { withoutRepeats } from '../../src/terms/normalize/repeated-text-rules.ts'
import { withoutTrails } from '../../src/terms/normalize/trails-rules.ts'
import { line, links, long, plainOf, title } from './lines.ts'

const paragraph = (plain: string) => ({ plain, item: false, link: false })

describe('a label of a page', () => {
  it.each([
    'Back to top',
    ' [Menu] ',
    'Sign in →',
    'Sign   in',
    'Sign·in',
    'table of contents skip to main content view previous version',
    `All collections ${'x'.repeat(104)}`,
    'EXPAND ALL',
    'Expand all Collapse all',
    'YesNo',
    '© 2025 Example, Inc.',
    '5 min read',
    'Tab NaN of 0',
    'Seite 3 von 12',
    'No, thanks',
    'Non merci',
    'Top of page ↑',
    'French #',
    'Learn more about how we use cookies',
    "En savoir plus sur l'utilisation de vos données",
    'Get page details as PDF',
    'View this policy as a PDF',
    'Save this page to your Developer Profile to get notifications on important updates.',
    'View previous business terms',
    'mmmwwlli',
    'day day day day day day',
    'x',
    '12',
  ])('is known: %j', (text) => {
    expect(isBoilerplate(text)).toBe(true)
  })

  it.each([
    'Page 1 of the annex',
    'French # law',
    'Learn more words',
    'You learn more about us',
    'Read it all to your PDF',
    'Save this page and send it',
    'Section 1 of 3',
    'No thanks to you',
    'Menus are long',
    'Back to top of it all',
    'Yes, you may.',
    'The menu',
    '',
    '2025',
  ])('is not: %j', (text) => {
    expect(isBoilerplate(text)).toBe(false)
  })

  it('has at most 120 characters', () => {
    const reserved = (length: number) => `All rights reserved ${'x'.repeat(length - 20)}`
    expect(isBoilerplate(reserved(60))).toBe(true)
    const dotted = (length: number) => `${'x'.repeat(length - 10)} . . . . .`
    expect(isBoilerplate(`${dotted(100)} . 12`)).toBe(true)
    expect(isBoilerplate(`${'x'.repeat(121)} ........`)).toBe(false)
    expect(isBoilerplate(`All collections ${'x'.repeat(105)}`)).toBe(false)
  })

  it('is several labels up to 60 characters', () => {
    const labels = (count: number) => Array(count).fill('change language').join(' ')
    expect([labels(3), labels(4)].map((text) => [text.length, isBoilerplate(text)])).toEqual([
      [47, true],
      [63, false],
    ])
  })
})

describe('a hint in a line', () => {
  it.each([
    ['See our terms (opens in a new window)', 'See our terms'],
    ['See our terms (external link)', 'See our terms'],
    ['Lecture 3 minutes', ''],
    ['We open in a new town', 'We open in a new town'],
    ['  Terms ', 'Terms'],
  ])('is left out: %j', (text, rest) => {
    expect(withoutHints(text)).toBe(rest)
  })
})

describe('what the software of a page left in its text', () => {
  it.each([
    ['how long ago it was updated', 'Updated 3 weeks ago'],
    ['that it was updated lately', 'Updated yesterday'],
    ['that it was updated lately, in French', "Mise à jour aujourd'hui"],
    ['that it was updated lately, in German', 'Zuletzt aktualisiert diese Woche'],
    ['the same in German', 'Aktualisiert vor 2 Tagen'],
    ['the same in Dutch', 'Bijgewerkt 2 dagen geleden'],
    ['versions to choose from', '1 May 2025 2 May 2025 3 May 2025 4 May 2025 current version'],
    ['languages to choose from', 'English Deutsch Français Español'],
    ['languages without spaces in Asia', 'EnglishFilipinoTagalogBahasa MelayuTamil'],
    ['languages without spaces', 'EnglishFrançaisDeutschItaliano'],
    ['names of languages in their scripts', 'Русский العربية עברית ไทย and more of the same in every country'],
    ['a style sheet', '.a { color: red; } .b { width: 1px }'],
    ['a script', 'window.dataLayer = window.dataLayer || []'],
    ['a function', '(function(w, d) { return w })'],
    ['a written picture', '!(data:image/png;base64,AAAA'],
  ])('is %s', (_what, text) => {
    expect(isPageLine(paragraph(text))).toBe(true)
  })

  it.each([
    ['who updated it yesterday', 'Updated yesterday by the board'],
    ['a sentence about the past', 'We did so three or 3 weeks ago as you all may know'],
    ['a short sentence about the past', 'We have updated this 3 weeks ago.'],
    ['three dates', '1 May 2025 2 May 2025 3 May 2025'],
    ['dates with more words', '1 May 2025 2 May 2025 3 May 2025 4 May 2025 a b c d e f g h i'],
    ['three languages', 'English Deutsch Français'],
    ['four languages among more words', 'English Deutsch Français Español are what we speak here'],
    ['a text in three scripts', 'Русский العربية עברית and more of the same'],
    ['a clause in braces', 'The fee is {amount: 5} and is due at the end of each month in which it is used.'],
    [
      'a clause about functions',
      'The function of the service is {as described: here} and nothing but that, in all cases',
    ],
  ])('is not %s', (_what, text) => {
    expect(isPageLine(paragraph(text))).toBe(false)
  })

  it('is half braces of a style sheet at least', () => {
    const style = '{ color: red }'
    expect(isPageLine(paragraph(`${style}${'x'.repeat(14)}`))).toBe(true)
    expect(isPageLine(paragraph(`${style}${'x'.repeat(15)}`))).toBe(false)
  })
})

describe('an offer above a document', () => {
  const offer = line('Save 50 % now!')
  const kept = (lines: ReturnType<typeof line>[]) => plainOf(withoutOffers(lines))

  it('is left out of the first eight lines', () => {
    expect(kept([...Array(7).fill(line('a')), offer])).toHaveLength(7)
    expect(kept([...Array(8).fill(line('a')), offer])).toHaveLength(9)
  })

  it.each([
    ['an offer with a telephone number', line('Discounts: call 01 76 41 08 93'), true],
    ['an offer without any call', line('Save 50 % now'), false],
    ['a call without an offer', line('Welcome!'), false],
    ['a heading', title('Save 50 % now!'), false],
    ['25 words', line(`Save! ${Array(24).fill('a').join(' ')}`), true],
    ['26 words', line(`Save! ${Array(25).fill('a').join(' ')}`), false],
  ])('is recognized: %s', (_what, one, isOffer) => {
    expect(kept([one])).toHaveLength(isOffer ? 0 : 1)
  })

  it.each(['Free delivery this week!', 'Découvrez nos webinars gratuits !', 'Kostenloser Versand!'])(
    'may be of something free: %s',
    (offer) => {
      expect(kept([line(offer)])).toEqual([])
    },
  )

  it('is no row of languages, of which five lead to editions of the page', () => {
    const languages = ['English', 'Deutsch', 'Français', 'Español', 'Italiano'].map((name) => line(name, { row: name }))
    const other = line('Price', { row: 'Price' })
    expect(kept([...languages, other])).toEqual(['Price'])
    expect(kept([...languages.slice(1), other])).toHaveLength(5)
    const longName = line('x', { row: 'English as it is spoken here' })
    expect(kept([...languages.slice(1), longName])).toHaveLength(5)
    expect(kept([...languages, line('English')])).toEqual(['English'])
  })
})

describe('a bar above a document that leads to something else', () => {
  const bar = 'Click today and collect in store tomorrow'
  const below = line('Terms of use')
  const kept = (...lines: ReturnType<typeof line>[]) => plainOf(withoutOffers(lines))
  const link = (plain: string, more = {}) => line(plain, { link: true, ...more })

  it('is left out of the first three lines', () => {
    expect(kept(link(bar), below)).toEqual(['Terms of use'])
    expect(kept(line('a'), line('b'), link(bar), below)).toHaveLength(3)
    expect(kept(line('a'), line('b'), line('c'), link(bar), below)).toHaveLength(5)
  })

  it.each([
    ['that is no link', line(bar)],
    ['that is a heading', link(bar, { heading: true })],
    ['of five words', link('Click today and collect tomorrow')],
    ['that is a sentence', link(`${bar}.`)],
    ['with a date', link(`${bar}, 1 June 2026`)],
    ['about the document', link('Read here what is in our new privacy policy')],
    ['about an update', link('See all that we updated for you in May')],
    ['about an update in French', link('Voici ce qui change dans le contrat pour vous')],
    ['that obliges somebody', link('You must be 18 years old to go on')],
    ['that denies something', link('We do not ship to islands in the north')],
  ])('is kept, as a line %s', (_what, one) => {
    expect(kept(one, below)).toHaveLength(2)
  })

  it('is kept above another link, and where nothing is below', () => {
    expect(kept(link(bar), link('Stripe'), below)).toHaveLength(3)
    expect(kept(link(bar))).toHaveLength(1)
  })
})

describe('the trail of a page above its heading', () => {
  const step = (number: string, plain: string, more = {}) => line(plain, { item: true, number, link: true, ...more })
  const trail = [step('1', 'Customer services'), step('2', 'Terms'), step('3', 'Terms of use', { link: false })]
  const kept = (...lines: ReturnType<typeof line>[]) => plainOf(withoutTrails(lines))

  it('is left out, wherever it is', () => {
    expect(kept(...trail, title('Terms of use'), line('a'))).toEqual(['Terms of use', 'a'])
    expect(kept(line('b'), ...trail, title('Terms of use'))).toEqual(['b', 'Terms of use'])
    expect(kept(step('1', 'Help'), step('2', 'Terms', { link: false }), title('Terms'))).toEqual(['Terms'])
  })

  it.each([
    ['that ends with another name', [...trail.slice(0, 2), step('3', 'Fees', { link: false })]],
    ['that ends with a link', [...trail.slice(0, 2), step('3', 'Terms of use')]],
    ['of which an entry is no link', [step('1', 'No refunds', { link: false }), ...trail.slice(1)]],
    ['of one entry', [step('1', 'Terms of use', { link: false })]],
    ['that does not begin with 1', trail.slice(1)],
    ['with an entry of nine words', [step('1', 'a b c d e f g h i'), ...trail.slice(1)]],
    ['with a row', [step('1', 'Help', { row: 'Help' }), ...trail.slice(1)]],
    ['without numbers', trail.map((entry) => ({ ...entry, number: undefined }))],
  ])('is kept, as a list %s', (_what, list) => {
    expect(kept(...list, title('Terms of use'))).toHaveLength(list.length + 1)
  })

  it('is kept above a paragraph', () => {
    expect(kept(...trail, line('Terms of use'))).toHaveLength(4)
  })
})

describe('a window that asks for consent to cookies', () => {
  const asks = line('We use cookies to improve our website.')
  const button = line('Reject all Accept all')
  const windows = (...lines: ReturnType<typeof line>[]) => consentWindows(lines)

  it('is its question, up to its last button', () => {
    expect(windows(line('a'), asks, line('b'), button, line('c'))).toEqual([1, 2, 3])
    expect(windows(asks, button, line('b'), button)).toEqual([0, 1, 2, 3])
    expect(windows(asks, button, asks, button)).toEqual([0, 1, 2, 3])
  })

  it('has its title above it', () => {
    expect(windows(line('We value your privacy'), asks, button)).toEqual([0, 1, 2])
    expect(windows(line('Privacy of all'), asks, button)).toEqual([1, 2])
  })

  it('has its first button within six lines, and the next within 200', () => {
    const between = (count: number) => Array(count).fill(line('b'))
    expect(windows(asks, ...between(5), button)).toHaveLength(7)
    expect(windows(asks, ...between(6), button)).toEqual([])
    expect(windows(asks, button, ...between(199), button)).toHaveLength(202)
    expect(windows(asks, button, ...between(200), button)).toHaveLength(2)
  })

  it('is none without a button', () => {
    expect(windows(asks, line('b'))).toEqual([])
    expect(windows(asks)).toEqual([])
    expect(windows(line('We use tools.'), button)).toEqual([])
    expect(windows(line('Cookies are small files.'), button)).toEqual([])
  })

  it.each([
    ['a heading', title('Accept all')],
    ['an entry of a list', line('Accept all', { item: true })],
    ['a sentence', line('Accept all of it, if you like it.')],
    ['a long line', line(`Accept all ${Array(11).fill('a').join(' ')}`)],
  ])('has no button that is %s', (_what, one) => {
    expect(windows(asks, one)).toEqual([])
  })

  it('has a button of up to 12 words', () => {
    expect(windows(asks, line(`Accept all ${Array(10).fill('a').join(' ')}`))).toEqual([0, 1])
  })
})

describe('a sentence', () => {
  it('has six words and a stop at its end', () => {
    const texts = ['a b c d e f.', 'a b c d e f."', 'a b c d e.', 'a b c. d e f g', 'a b c d e f.x']
    expect(texts.map(isSentence)).toEqual([true, true, false, false, false])
  })
})

describe('an index of titles', () => {
  const parts = (...names: string[]) =>
    names.flatMap((name) => [line(name), line(`${name} is described in this long sentence.`)])
  const kept = (lines: ReturnType<typeof line>[]) => plainOf(withoutIndex(lines))
  const names = ['Scope', 'Term', 'Law']

  it('is left out where three titles follow in the order of their parts', () => {
    expect(kept([...names.map((name) => line(name)), ...parts(...names)])).toEqual(plainOf(parts(...names)))
    expect(kept([line('a b.'), ...names.map((name) => line(name)), ...parts(...names)])).toHaveLength(7)
    expect(kept([...names.slice(1).map((name) => line(name)), ...parts(...names)])).toHaveLength(8)
  })

  it('is a list of the document where its entries follow in another order, or have no parts', () => {
    const turned = ['Law', 'Term', 'Scope'].map((name) => line(name))
    expect(kept([...turned, ...parts(...names)])).toHaveLength(9)
    expect(kept([...names, ...names].map((name) => line(name)))).toHaveLength(6)
    expect(kept(names.map((name) => line(name)))).toHaveLength(3)
  })

  it('may have one title that names no part, but no sentence', () => {
    const index = (beside: string) => ['Scope', 'Term', beside, 'Law'].map((name) => line(name))
    expect(kept([...index('Other title'), ...parts(...names)])).toHaveLength(6)
    expect(kept([...index('This is a sentence of seven words.'), ...parts(...names)])).toHaveLength(10)
    const two = ['Scope', 'Term', 'x', 'y', 'Law'].map((name) => line(name))
    expect(kept([...two, ...parts(...names)])).toHaveLength(11)
  })

  it('has titles of up to 12 words that are no rows and no headings', () => {
    const title12 = Array(12).fill('word').join(' ')
    const of = (name: string) => kept([line(name), line('Term'), line('Law'), ...parts(name, 'Term', 'Law')]).length
    expect([of(title12), of(`${title12} word`)]).toEqual([6, 9])
    const rows = names.map((name) => line(name, { row: name }))
    expect(kept([...rows, ...parts(...names)])).toHaveLength(9)
    expect(kept([...names.map(title), ...parts(...names)])).toHaveLength(9)
  })

  it('is written in letters of either case', () => {
    expect(kept([...names.map((name) => line(name.toUpperCase())), ...parts(...names)])).toHaveLength(6)
  })

  it('has text below four of five of its parts', () => {
    const five = ['Scope', 'Term', 'Law', 'Fees', 'Data']
    const body = (without: string[]) =>
      parts(...five).filter(({ plain }) => !without.some((name) => plain.startsWith(`${name} is`)))
    const length = (without: string[]) =>
      kept([...five.map((name) => line(name)), ...body(without)]).length - body(without).length
    expect([length([]), length(['Term']), length(['Term', 'Law'])]).toEqual([0, 0, 5])
  })
})

describe('the line before a list of links', () => {
  it.each([
    ['a sentence that names the list', line('We use these sub-processors:'), true],
    ['a line that ends in a colon', line('You also accept these:'), true],
    ['a short label that ends in a colon', line('Follow us now:'), false],
    ['a short label that names the list', line('Our affiliates'), true],
    ['a heading that names the list', title('Annex'), true],
    ['a heading that ends in a colon', title('You also accept these:'), false],
    ['a sentence', line('You keep all rights in what you send.'), false],
    ['a sentence that names the list and ends', line('The following agreements are part of it.'), true],
    ['a long line', line('You also accept this'), false],
    ['a line of links', links('Annex'), false],
    ['nothing', undefined, false],
  ])('introduces it: %s', (_what, one, does) => {
    expect(introduces(one)).toBe(does)
  })

  it('makes each link an entry with its name and where it leads', () => {
    const list = line('AlphaBeta', {
      names: ['Alpha', 'Beta', 'Gamma', 'Delta'],
      targets: ['https://www.example.com/a?x=1', '#part', 'mailto:a@example.com', '/en/list'],
    })
    expect(linkLines(list)).toEqual([
      { ...line('Alpha', { item: true, row: 'Alpha' }), leadsTo: 'example.com/a' },
      { ...line('Beta', { item: true, row: 'Beta' }), leadsTo: undefined },
      { ...line('Gamma', { item: true, row: 'Gamma' }), leadsTo: undefined },
      { ...line('Delta', { item: true, row: 'Delta' }), leadsTo: 'list' },
    ])
  })
})

describe('a menu of questions above an article', () => {
  const other = line('I have a different question')
  const kept = (lines: ReturnType<typeof line>[]) => plainOf(withoutQuestionMenus(lines))

  it('is left out with the entries above its end', () => {
    expect(kept([line('We say so.'), line('Report it'), line('What is it?'), other, line('Text')])).toEqual([
      'We say so.',
      'Text',
    ])
    expect(kept([line('a'), line('b')])).toEqual(['a', 'b'])
  })

  it.each(['Tenho uma questão diferente', "J'ai une question différente", 'Tengo una pregunta diferente'])(
    'ends with “%s” too',
    (end) => {
      expect(kept([line('What is it?'), line(end)])).toEqual([])
    },
  )

  it('has at most 15 entries', () => {
    expect(kept([...Array(17).fill(line('What is it?')), other])).toHaveLength(2)
  })

  it.each([
    ['a heading', title('Report it')],
    ['a row', line('Report it', { row: 'Report it' })],
    ['a sentence', line('Report it.')],
    ['a sentence in quotes', line('Report “it!”')],
    ['a number', line('Form 7')],
    ['a line of 13 words', long(13)],
  ])('ends below %s', (_what, one) => {
    expect(kept([line('a'), one, line('b'), other])).toEqual(['a', one.plain])
  })

  it('has entries of 12 words', () => {
    expect(kept([long(12), other])).toEqual([])
  })
})

describe('related pages below a document', () => {
  const kept = (lines: ReturnType<typeof line>[]) => withoutRelated(lines).length

  it('are left out from their title on', () => {
    expect(plainOf(withoutRelated([line('a'), title('Related articles'), line('b')]))).toEqual(['a'])
    expect(kept([line('a'), line('Related articles:'), line('b')])).toBe(1)
    expect(kept([line('Related articles'), line('a'), line('Related articles'), line('b')])).toBe(2)
  })

  it('are no whole page', () => {
    expect(kept([title('Related articles'), line('b')])).toBe(2)
    expect(kept([line('a'), line('b')])).toBe(2)
  })

  it('are at most 30 lines and 250 words', () => {
    const of = (count: number) => kept([line('a'), title('Related articles'), ...Array(count).fill(line('b'))])
    expect([of(29), of(30)]).toEqual([1, 32])
    const words = (count: number) => kept([line('a'), title('Related articles'), long(count)])
    expect([words(248), words(249)]).toEqual([1, 3])
  })
})

describe('a page that holds its text twice', () => {
  const text = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => long(10, name))
  const kept = (lines: ReturnType<typeof line>[]) => plainOf(withoutRepeats(lines))

  it('is read once', () => {
    expect(kept([...text, ...text])).toEqual(plainOf(text))
    expect(kept([line('top'), ...text, line('between'), ...text, line('end')])).toEqual([
      'top',
      ...plainOf(text),
      'between',
      'end',
    ])
  })

  it('has a copy of four lines, and of 35 % of its words', () => {
    const four = text.slice(0, 4)
    expect(kept([...four, ...four])).toHaveLength(4)
    expect(kept([...four.slice(1), line('x'), ...four.slice(1)])).toHaveLength(7)
    const beside = (words: number) => kept([...four, long(words, 'x'), ...four]).length
    expect([beside(34), beside(35)]).toEqual([5, 9])
  })

  it('may have a passage twice that is short, and another that is a copy', () => {
    const [short, rest] = [text.slice(0, 2), text.slice(2).map(({ plain }) => line(`${plain} ${plain}`))]
    expect(kept([...short, line('x'), ...short, line('y'), ...rest, ...rest])).toEqual([
      ...plainOf(short),
      'x',
      ...plainOf(short),
      'y',
      ...plainOf(rest),
    ])
  })

  it('has no paragraph of six words twice in a row', () => {
    expect(kept([long(6), long(6), line('x')])).toHaveLength(2)
    expect(kept([long(5), long(5), line('x')])).toHaveLength(3)
    expect(kept([line('We Go In And Out Here'), line('we go in, and out, here'), line('x')])).toHaveLength(2)
    expect(kept([long(6), line('x'), long(6)])).toHaveLength(3)
  })

  it('has no heading twice in a row', () => {
    expect(kept([title('Scope'), title('Scope')])).toEqual(['Scope'])
    expect(kept([title('Scope'), line('Scope')])).toHaveLength(2)
    expect(kept([line('Scope'), title('Scope')])).toHaveLength(2)
  })
})
