import { describe, expect, it } from 'vitest'
import { readingOrder } from '../../../src/terms/extract/pdf/columns-rules.ts'
import type { Segment } from '../../../src/terms/extract/pdf/lines-rules.ts'

const segment = (text: string, row: number, from: number, to: number, page = 1): Segment => ({
  text,
  x: from,
  right: to,
  y: 800 - row * 12,
  size: 10,
  page,
  row,
})
/** A line of the left column, of the right one, and one over both, of a page that is 600 wide. */
const left = (text: string, row: number, page?: number) => segment(text, row, 0, 280, page)
const right = (text: string, row: number, page?: number) => segment(text, row, 320, 600, page)
const wide = (text: string, row: number, page?: number) => segment(text, row, 0, 600, page)
const sentence = (name: string) => `the ${name} is here`
/** Rows of two columns: `a1` beside `b1`, and so on. */
const columns = (count: number, names: [string, string] = ['a', 'b'], page?: number, firstRow = 1) =>
  Array.from({ length: count }, (_, i) => [
    left(sentence(`${names[0]}${i + 1}`), firstRow + i, page),
    right(sentence(`${names[1]}${i + 1}`), firstRow + i, page),
  ]).flat()

const read = (...pages: Segment[][]) => readingOrder(pages).map(({ text }) => text.replace(/^the | is here$/g, ''))
const inRows = (count: number) => Array.from({ length: count }, (_, i) => `a${i + 1} is here the b${i + 1}`)

describe('a page of one column', () => {
  it('is read as it is drawn', () => {
    expect(read([wide('the first is here', 1), wide('the second is here', 2)])).toEqual(['first', 'second'])
  })

  it('has lines that say where they are', () => {
    expect(readingOrder([[wide('first', 1)], [wide('second', 1, 2)]])).toEqual([
      { text: 'first', y: 788, size: 10, page: 1, part: 1, flow: 0 },
      { text: 'second', y: 788, size: 10, page: 2, part: 2, flow: 0 },
    ])
  })

  it('may be empty, or have no width', () => {
    expect(read([], [])).toEqual([])
    expect(read([segment('a', 1, 5, 5), segment('b', 2, 5, 5)])).toEqual(['a', 'b'])
  })
})

describe('a page of two columns', () => {
  it('is read column by column', () => {
    expect(read(columns(4))).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4'])
  })

  it('is read column by column where all lines are farther right', () => {
    const moved = columns(4).map((one) => ({ ...one, x: one.x + 1_000, right: one.right + 1_000 }))
    expect(read(moved)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4'])
  })

  it('is read from the top, however it is drawn', () => {
    expect(read(columns(4).reverse())).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4'])
  })

  it('is read before the next page', () => {
    expect(read(columns(4), columns(4, ['c', 'd'], 2))).toEqual(
      ['a', 'b', 'c', 'd'].flatMap((name) => [1, 2, 3, 4].map((n) => `${name}${n}`)),
    )
  })

  it('says for each line which column of which page it is in', () => {
    const parts = readingOrder([columns(4), columns(4, ['c', 'd'], 2)]).map(({ part, flow, page }) => [
      part,
      flow,
      page,
    ])
    expect(parts).toEqual(
      [
        [1, 0, 1],
        [2, 0, 1],
        [3, 0, 2],
        [4, 0, 2],
      ].flatMap((part) => [part, part, part, part]),
    )
  })

  it('may have lines over both columns, before, between and after them', () => {
    const page = [
      wide('title', 1),
      ...columns(4, ['a', 'b'], 1, 2),
      wide('middle', 6),
      ...columns(4, ['c', 'd'], 1, 7),
      wide('end', 11),
    ]
    expect(read(page)).toEqual([
      'title',
      ...['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4'],
      'middle',
      ...['c1', 'c2', 'c3', 'c4', 'd1', 'd2', 'd3', 'd4'],
      'end',
    ])
  })

  it('may have lines over both columns that are up to 40 % of it', () => {
    const over = (count: number) => Array.from({ length: count }, (_, i) => wide(`w${i}`, 20 + i))
    // 8 lines in columns and 5 over both make 38 %, 6 over both 43 %.
    expect(read([...columns(4), ...over(5)]).slice(0, 5)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1'])
    expect(read([...columns(4), ...over(6)]).slice(0, 4)).toEqual(inRows(4))
    // 6 of 15 are exactly 40 %.
    expect(read([...columns(4), left(sentence('a5'), 5), ...over(6)]).slice(0, 6)).toEqual([
      'a1',
      'a2',
      'a3',
      'a4',
      'a5',
      'b1',
    ])
  })

  it('may have a line on one side only, which is a line like any other', () => {
    const page = [
      ...columns(4),
      wide('middle', 5),
      left('alone on the left', 6),
      wide('end', 7),
      right('alone on the right', 8),
    ]
    expect(read(page).slice(-4)).toEqual(['middle', 'alone on the left', 'end', 'alone on the right'])
  })

  it('may have a gutter that is not in the middle', () => {
    const narrow = (gutter: number) =>
      Array.from({ length: 4 }, (_, i) => [
        segment(sentence(`a${i + 1}`), i, 0, gutter - 10),
        segment(sentence(`b${i + 1}`), i, gutter + 10, 600),
      ]).flat()
    const divided = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']
    expect(read(narrow(200))).toEqual(divided)
    expect(read(narrow(400))).toEqual(divided)
    expect(read(narrow(100))).toEqual(inRows(4))
    expect(read(narrow(500))).toEqual(inRows(4))
  })
})

describe('what is not a page of two columns', () => {
  it('is one with fewer than four lines on a side', () => {
    expect(read(columns(3))).toEqual(inRows(3))
    expect(read([...columns(3), left(sentence('a4'), 4)]).slice(0, 3)).toEqual(inRows(3))
    expect(read([...columns(3), right(sentence('b4'), 4)]).slice(0, 3)).toEqual(inRows(3))
  })

  it('is a table, whose cells have fewer than three words', () => {
    const cells = (one: string, two: string) =>
      read(Array.from({ length: 4 }, (_, i) => [left(one, i), right(two, i)]).flat())
    expect(cells('in three words', 'in three words')).toHaveLength(8)
    expect(cells('two words', 'in three words')).toEqual(Array(4).fill('two words in three words'))
    expect(cells('in three words', 'two words')).toEqual(Array(4).fill('in three words two words'))
  })

  it('is a table, whose cells fill less than 45 % of their column', () => {
    // The gutter is in the middle of the gap between the columns.
    const filled = (one: number, two: number) =>
      read(
        Array.from({ length: 4 }, (_, i) => [
          segment('in three words', i, 0, one),
          segment('in three words', i, 600 - two, 600),
        ]).flat(),
      ).length
    expect(filled(140, 280)).toBe(8)
    expect(filled(280, 140)).toBe(8)
    expect(filled(100, 280)).toBe(4)
    expect(filled(280, 100)).toBe(4)
  })

  it('is recognized by the typical line of a side: a few short ones do not matter', () => {
    const page = [...columns(5), left('no', 6), right('no', 6), left('so', 7), right('so', 7)]
    expect(read(page)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'no', 'so', 'b1', 'b2', 'b3', 'b4', 'b5', 'no', 'so'])
  })
})

describe('the typical line of a side', () => {
  it('is the one in the middle by its length, whatever the order of the lines', () => {
    const texts = ['one line of text', 'one line of text', 'x', 'one line of text', 'x']
    const page = texts.flatMap((text, i) => {
      const width = text === 'x' ? 10 : 280
      return [segment(text, i, 0, width), segment(text, i, 320, 320 + width)]
    })
    expect(read(page)).toEqual([...texts, ...texts])
  })
})

describe('columns that say the same', () => {
  const clauses = (texts: [string, string][], page: number) =>
    texts.flatMap(([one, two], i) => [left(one, i + 1, page), right(two, i + 1, page)])
  const numbered = (first: string, second: string, page: number) =>
    clauses(
      [
        [`${first} left clause`, `${second} right clause`],
        ['goes on left', 'goes on right'],
        ['and on left', 'and on right'],
        ['to its end left', 'to its end right'],
      ],
      page,
    )
  const order = (...pages: Segment[][]) =>
    readingOrder(pages)
      .filter(({ text }) => /clause/.test(text))
      .map(({ text }) => text)
  const apart = ['left', 'left', 'right', 'right']
  const sides = (...pages: Segment[][]) => order(...pages).map((text) => /left|right/.exec(text)![0])

  it('are read one after the other over all pages where they number two clauses alike', () => {
    expect(order(numbered('1.', '1.', 1), numbered('2.', '2.', 2))).toEqual([
      '1. left clause',
      '2. left clause',
      '1. right clause',
      '2. right clause',
    ])
  })

  it('are in flows of their own, and so is what comes after them', () => {
    const flows = readingOrder([
      [wide('title', 0), ...numbered('1.', '1.', 1)],
      [...numbered('2.', '2.', 2), wide('end', 9, 2)],
    ]).map(({ text, flow, part }) => [text, flow, part])
    expect(flows[0]).toEqual(['title', 0, 1])
    expect(flows.filter(([text]) => /clause/.test(String(text)))).toEqual([
      ['1. left clause', 1, 2],
      ['2. left clause', 1, 3],
      ['1. right clause', 2, 4],
      ['2. right clause', 2, 5],
    ])
    expect(flows.at(-1)).toEqual(['end', 3, 6])
  })

  it.each([
    ['1.1', '2.1'],
    ['1)', '2)'],
    ['12', '13'],
    ['10.2.3.', '10.2.4.'],
    ['1.12', '1.13'],
  ])('have clauses with numbers such as %s', (first, second) => {
    expect(sides(numbered(first, first, 1), numbered(second, second, 2))).toEqual(apart)
  })

  it('end where a line is on one side only', () => {
    const alone = left('a clause alone', 1, 2)
    const next = [alone, wide('middle', 2, 2), ...columns(4, ['c', 'd'], 2, 3)]
    const both = [...numbered('1.', '1.', 1).slice(0, 4), ...numbered('2.', '2.', 1).slice(0, 4)]
    const page = both.map((one, i) => ({ ...one, row: i >> 1, y: 800 - (i >> 1) * 12 }))
    expect(order(page, next)).toEqual([
      '1. left clause',
      '2. left clause',
      '1. right clause',
      '2. right clause',
      'a clause alone',
    ])
  })

  it.each([
    ['one clause alike', '1.', '1.', '2.', '3.'],
    ['no clause alike', '1.', '3.', '2.', '4.'],
    ['letters alike', 'a)', 'a)', 'b)', 'b)'],
    ['years alike', '2025', '2025', '2026', '2026'],
  ])('are read page by page with %s', (_what, a, b, c, d) => {
    expect(sides(numbered(a, b, 1), numbered(c, d, 2))).toEqual(['left', 'right', 'left', 'right'])
  })

  it('have numbers at the beginning of their lines', () => {
    expect(sides(numbered('see 1.', 'see 1.', 1), numbered('see 2.', 'see 2.', 2))).toEqual([
      'left',
      'right',
      'left',
      'right',
    ])
  })

  it('have at least half of their clauses alike', () => {
    const own = (...numbers: number[]) =>
      Array.from({ length: 4 }, (_, i) => [
        left(numbers[i] === undefined ? 'goes on here' : `${numbers[i]}. of the left`, i + 5, 2),
        right('goes on here', i + 5, 2),
      ]).flat()
    const pages = (...numbers: number[]): Segment[][] => [
      numbered('1.', '1.', 1),
      [...numbered('2.', '2.', 2), ...own(...numbers)],
    ]
    expect(sides(...pages(11, 12))).toEqual(apart)
    expect(sides(...pages(11, 12, 13))).toEqual(['left', 'right', 'left', 'right'])
  })

  const GERMAN = [
    'Der Kunde zahlt die Gebühren der Preisliste im Voraus und ohne Abzug.',
    'Der Anbieter kann die Gebühren mit einer Frist von einem Monat ändern.',
    'Die Haftung des Anbieters ist auf die gezahlten Gebühren beschränkt.',
    'Dieser Vertrag unterliegt dem Recht des Landes, in dem der Anbieter sitzt.',
  ]
  const ENGLISH = [
    'The customer pays the fees of the price list in advance and in full.',
    'The provider may change the fees with a notice period of one month.',
    'The liability of the provider is limited to the fees that were paid.',
    'This agreement is governed by the law of the country of the provider.',
  ]
  /** The flows that a page is read in, where these are the lines of its columns. */
  const flows = (one: string[], two: string[]) => {
    const page = one.flatMap((text, i) => [left(text, i), right(two[i]!, i)])
    return [...new Set(readingOrder([page]).map(({ flow }) => flow))]
  }

  it('are in flows of their own where they are in two languages', () => {
    expect(flows(GERMAN, ENGLISH)).toEqual([1, 2])
    expect(flows(ENGLISH, GERMAN)).toEqual([1, 2])
  })

  it('are in one flow where they are in one language', () => {
    expect(flows(ENGLISH, ENGLISH.toReversed())).toEqual([0])
  })

  it('are in one flow where a column is too short to tell its language', () => {
    const short = ['Der Kunde zahlt', 'Die Haftung ist', 'Dieser Vertrag gilt', 'Der Anbieter darf']
    expect(flows(short, ENGLISH)).toEqual([0])
    expect(flows(ENGLISH, short)).toEqual([0])
  })
})
