import { describe, expect, it } from 'vitest'
import { isDrawing, plainLine, plainRow, withoutUrls } from '../../../src/terms/normalize/line-text-rules.ts'
import { parseMarkdown } from '../../../src/terms/normalize/markdown-tree-rules.ts'
import { plainLines } from '../../../src/terms/normalize/plain-text-rules.ts'
import { line } from './lines.ts'

describe('a line without its bullet and its number', () => {
  it.each<[text: string, rest: string, number: string | undefined, item: boolean]>([
    ['We pay.', 'We pay.', undefined, false],
    ['- We pay.', 'We pay.', undefined, true],
    ['• We pay.', 'We pay.', undefined, true],
    ['1. We pay.', 'We pay.', '1', true],
    ['(b) We pay.', 'We pay.', 'b', false],
    ['b) We pay.', 'We pay.', 'b', true],
    ['iv) We pay.', 'We pay.', 'iv', false],
    ['3.2. We pay.', 'We pay.', '3.2', false],
    ['3.2 We pay.', 'We pay.', '3.2', false],
    ['8.2 DUE TO LAW', 'DUE TO LAW', '8.2', false],
    ['3.2 we pay.', '3.2 we pay.', undefined, false],
    ['2. (a) We pay.', 'We pay.', '2. a', true],
    ['5.CONFIDENTIALITY', 'CONFIDENTIALITY', '5', false],
    ['39.11.****Devices', 'Devices', '39.11', false],
    ['2.2The fees', 'The fees', '2.2', false],
    ['2.5Mbps are enough', '2.5Mbps are enough', undefined, false],
    ['(a)access to it', 'access to it', 'a', false],
    ['1.5 Credits are enough for us', '1.5 Credits are enough for us', undefined, false],
    ['- 1.5 Of it', '1.5 Of it', undefined, true],
    ['- 1.5 Of it now', '1.5 Of it now', undefined, true],
    ['- 1.5 Of it so now', 'Of it so now', '1.5', true],
    ['- 1.5 Of it and more of it', 'Of it and more of it', '1.5', true],
    ['*4. Fees', 'Fees', '4', true],
    ['A.1. Scope', 'Scope', 'A.1', false],
    ['C.1.a.ii. Notices', 'Notices', 'C.1.a.ii', false],
    ['B.3.a. sell it', 'sell it', 'B.3.a', false],
    ['A.1 Scope', 'Scope', 'A.1', false],
    ['A.1 scope', 'A.1 scope', undefined, false],
    ['1.1(a) Use', 'Use', '1.1 a', false],
    ['3.2(b) sell it;', 'sell it;', '3.2 b', false],
    ['3.2(b)(ii) sell it;', 'sell it;', '3.2 b ii', false],
    ['3.2(b), as it says', '3.2(b), as it says', undefined, false],
    ['401(k) plans', '401(k) plans', undefined, false],
    ['U.S. law applies', 'U.S. law applies', undefined, false],
    ['e.g. 5 days', 'e.g. 5 days', undefined, false],
    ['H.264 Video', 'H.264 Video', undefined, false],
  ])('is plain: %s', (text, rest, number, item) => {
    expect(plainLine(text)).toMatchObject({ text: rest, number, item })
  })

  it('keeps an amount in a list of the document', () => {
    expect(plainLine('1.5 Of it', { item: true }).text).toBe('1.5 Of it')
    expect(plainLine('1.5 Of it').text).toBe('Of it')
  })
})

describe('the characters of a line', () => {
  it.each([
    ['“quoted” and ‘so’', '"quoted" and \'so\''],
    ['a – b — c', 'a - b - c'],
    ['a\u00a0b\u200bc  d', 'a bc d'],
    ['a --- b', 'a b'],
    ['a | b ~c~ [d]', 'a b c d'],
    ['a|b~c[d]', 'a bcd'],
    ['x ***a*** y', 'x a y'],
    ['SchlÃ¼ssel', 'Schlüssel'],
    ['donâ€™t', "don't"],
    ['cafe´s', "cafe's"],
    ['see](https://example.com/a) it', 'see it'],
    ['write (mailto:a@example.com) now', 'write now'],
    ['see (#part one) now', 'see now'],
    ['**bold** and _so_', 'bold and so'],
    ['empty () here', 'empty here'],
  ])('are of one kind: %s', (text, plain) => {
    expect(plainLine(text).text.replace(/ +/g, ' ')).toBe(plain)
  })

  it('are those of the cells of a row', () => {
    expect(plainRow(['Alpha', '**5** €'])).toBe('Alpha 5 €')
  })

  it('have addresses as host and path', () => {
    expect(withoutUrls('see <https://www.example.com/a?x=1> and http://b.example')).toBe(
      'see example.com/a and b.example',
    )
  })

  it('may only draw', () => {
    expect(['---', '* * *', '| :-- |', '=='].map(isDrawing)).toEqual([true, true, true, true])
    expect(['', 'a', '- a'].map(isDrawing)).toEqual([false, false, false])
  })
})

describe('the lines of a Markdown text', () => {
  it('are its paragraphs, as they break their lines', () => {
    expect(plainLines('One *a*\nTwo\n\nThree')).toEqual([line('One a'), line('Two'), line('Three')])
    expect(plainLines('One\r\n\r\nTwo\\\nThree')).toEqual([line('One'), line('Two'), line('Three')])
  })

  it('say what is a heading', () => {
    expect(plainLines('# One\n\n##2. Two\n\nThree\n=====')).toEqual([
      line('One', { heading: true, level: 1 }),
      line('Two', { heading: true, level: 2, item: true, number: '2', marker: '2.' }),
      line('Three', { heading: true, level: 1 }),
    ])
    expect(plainLines('3. Use\n---\n\nText')).toMatchObject([{ plain: 'Use', heading: true }, { plain: 'Text' }])
    expect(plainLines('3. Use\n\n---\n\nText')).toMatchObject([{ plain: 'Use', heading: false }, { plain: 'Text' }])
  })

  it('say what is an entry of a list, and its number', () => {
    const entry = { item: true, depth: 1 }
    expect(plainLines('- One\n- Two')).toEqual([line('One', entry), line('Two', entry)])
    expect(plainLines('3. One\n4. Two\n   1. Three')).toMatchObject([
      { plain: 'One', item: true, number: '3' },
      { plain: 'Two', item: true, number: '4' },
      { plain: 'Three', item: true, number: '1' },
    ])
    expect(plainLines('4. 1. Three')).toMatchObject([{ plain: 'Three', item: true, number: '4.1' }])
    expect(plainLines('1. One\n\n   Two')).toMatchObject([
      { number: '1' },
      { plain: 'Two', item: false, number: undefined },
    ])
  })

  it('keep a year at the beginning of a paragraph', () => {
    expect(plainLines('2025. It was a year.')).toMatchObject([{ plain: '2025. It was a year.', number: undefined }])
    expect(plainLines('999. It was.')).toMatchObject([{ plain: 'It was.', number: '999' }])
  })

  it('are the rows of a table, named by their first cells', () => {
    expect(plainLines('| Name | Place |\n| --- | --- |\n| *Alpha* | Rome |\n| | |')).toEqual([
      line('Name Place'),
      line('Alpha Rome', { row: 'Alpha' }),
    ])
  })

  it('are quotes and code as they read', () => {
    expect(plainLines('> One\n> Two\n\n```\nThree\nFour\n```')).toEqual([
      line('One'),
      line('Two'),
      line('Three'),
      line('Four'),
    ])
  })

  it('are none that only draw, and none of pictures and tags', () => {
    expect(plainLines('One\n\n***\n\n![alt](a.png)\n\n<br>Two<i>three</i>')).toEqual([line('One'), line('Two three')])
  })

  it('know the lines of nothing but links, and where these lead', () => {
    expect(plainLines('[One](/a)[Two](/b)')).toEqual([line('OneTwo', { targets: ['/a', '/b'], names: ['One', 'Two'] })])
    expect(plainLines('[One](/a)')).toEqual([line('One', { link: true, targets: ['/a'], names: ['One'] })])
    expect(plainLines('See [One](/a)')).toEqual([line('See One')])
    expect(plainLines('# [One](/a)')).toMatchObject([{ heading: true, link: false, targets: ['/a'] }])
    expect(plainLines('More [One](/a)[Two](/b)')).toMatchObject([{ targets: ['/a', '/b'] }])
    expect(plainLines('More of [One](/a)[Two](/b)')).toMatchObject([{ targets: [] }])
    expect(plainLines('1. [One](/a)')).toMatchObject([{ targets: [] }])
    expect(plainLines('- [One](/a)')).toMatchObject([{ targets: ['/a'], item: true }])
  })

  it('know no mail address as a link of a menu, unless there are three links', () => {
    expect(plainLines('[Mail](mailto:a@example.com)')).toMatchObject([{ targets: [] }])
    expect(plainLines('[Mail](mailto:a@example.com)[One](/a)')).toMatchObject([{ targets: [] }])
    expect(plainLines('[Mail](mailto:a@example.com)[One](/a)[Two](/b)')).toMatchObject([{ targets: { length: 3 } }])
    expect(plainLines('<a@example.com>')).toMatchObject([{ plain: 'a@example.com', targets: [] }])
    expect(plainLines('<https://example.com/a>')).toMatchObject([{ plain: 'example.com/a', targets: [] }])
  })

  it('have addresses that are hidden from robots', () => {
    // Each byte of `ab@c.de` is written XORed with 0x01.
    expect(plainLines('[x](/cdn-cgi/l/email-protection#01606341622f6564)')).toEqual([line('ab@c.de')])
  })

  it('have the text of code and of links, also over two lines', () => {
    expect(plainLines('One `two` three')).toEqual([line('One two three')])
    expect(plainLines('See [One *two*\nthree](/a) now')).toEqual([line('See One two three now')])
    expect(plainLines('[a@example.com](mailto:a@example.com)')).toEqual([line('a@example.com')])
    expect(plainLines('[x](/cdn-cgi/l/email-protection#zz)')).toEqual([line('x', { link: true })])
  })

  it('have no chooser of versions and languages in them', () => {
    expect(plainLines('Terms of 2025 [View previous version](/old)')).toEqual([line('Terms of 2025')])
    expect(plainLines('Terms of 2025 [French version](/fr)')).toEqual([line('Terms of 2025')])
  })

  it('have the text of links that are defined elsewhere', () => {
    expect(plainLines('See [One][ Long Name ] and [two]\n\n[long name]: /target')).toEqual([line('See One and two')])
    expect(plainLines('See [One][a] and [Two]\n\nText\n\n[A]: /target\n[b]: /other')).toEqual([
      line('See One and Two'),
      line('Text'),
    ])
  })
})

describe('Markdown that is parsed', () => {
  const kinds = (markdown: string) => parseMarkdown(markdown).map((part) => ('tree' in part ? 'tree' : part.lines))

  it('is taken as plain lines where nothing in it is markup', () => {
    expect(kinds('One\nTwo\n\n\nThree')).toEqual([['One', 'Two'], ['Three']])
    expect(kinds('One \\& two\\.')).toEqual([['One & two.']])
    expect(kinds('\\-1. One')).toEqual([['-1. One']])
    expect(kinds('One\r\rTwo\n \t\nThree')).toEqual([['One'], ['Two'], ['Three']])
    expect(kinds('One *two*\n\nThree')).toEqual(['tree', ['Three']])
    expect(kinds('')).toEqual([])
  })

  it('keeps fenced code in one part', () => {
    expect(kinds('```\nOne\n\nTwo\n```\n\nThree')).toEqual(['tree', ['Three']])
    expect(kinds('~~~~\nOne\n~~~\n\nTwo\n~~~~~\n\nThree')).toEqual(['tree', ['Three']])
  })

  it('is refused when its lists are nested more than 30 deep', () => {
    const nested = (depth: number) => `${'> '.repeat(depth)}a`
    expect(() => parseMarkdown(nested(30))).not.toThrow()
    expect(() => parseMarkdown(nested(31))).toThrow('nested more than 30 deep')
    const apart = Array.from({ length: 40 }, () => '- a').join('\n')
    expect(() => parseMarkdown(apart)).not.toThrow()
  })

  it.each([
    ['lists in a list, over and over', '- a\n  - b\n'],
    ['headings underlined, line by line', 'a\n=\n'],
    ['headings underlined in a quote', '> a\n> =\n'],
  ])('is refused when its lines are too many for the parser: %s', (_what, text) => {
    expect(() => parseMarkdown(text.repeat(4_000))).toThrow('too dense')
    expect(() => parseMarkdown(text.repeat(40))).not.toThrow()
  })

  it('is refused when lists grow deeper line by line', () => {
    const stairs = (depth: number) =>
      Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- entry`).join('\n')
    expect(() => parseMarkdown(stairs(40))).toThrow('nested more than 30 deep')
    expect(() => parseMarkdown(`${stairs(20)}\n${stairs(20)}`)).not.toThrow()
    const narrow = Array.from({ length: 40 }, (_, level) => `${' '.repeat(level)}- entry`).join('\n')
    expect(() => parseMarkdown(narrow)).toThrow('nested more than 30 deep')
    expect(() => parseMarkdown(`${stairs(20)}\n${`${' '.repeat(60)}text\n`.repeat(5_300)}`)).toThrow('too dense')
  })

  it('is not refused for plain lines, and for few lists in quotes; for many it is', () => {
    expect(() => parseMarkdown('a\n'.repeat(20_100))).not.toThrow()
    expect(() => parseMarkdown('> - a\n'.repeat(400))).not.toThrow()
    expect(() => parseMarkdown('> - a\n'.repeat(1_900))).toThrow('too dense')
    expect(() => parseMarkdown(`${'> - a\n'.repeat(1_000)}${'a\n'.repeat(11_000)}`)).toThrow('too dense')
  })

  it('is refused when its marks are too dense', () => {
    // The cost is the square of the marks of one paragraph: 4,472 squared is just below 20 million.
    const marks = (count: number) => '!'.repeat(count)
    expect(() => parseMarkdown(marks(4_472))).not.toThrow()
    expect(() => parseMarkdown(marks(4_473))).toThrow('too dense')
    expect(() => parseMarkdown(`${marks(4_000)}\n\n${marks(4_000)}`)).toThrow('too dense')
    expect(() => parseMarkdown(`${marks(3_000)}\n# ${marks(3_000)}`)).not.toThrow()
    expect(() => parseMarkdown(`${marks(4_000)}\n# ${marks(4_000)}`)).toThrow('too dense')
    expect(() => parseMarkdown(`${marks(3_000)}\na${marks(3_000)}`)).toThrow('too dense')
  })
})
