import { describe, expect, it } from 'vitest'
import {
  type Item,
  linesOf,
  type Segment,
  segmentsOf,
  withoutRunning,
} from '../../../src/terms/extract/pdf/lines-rules.ts'

/** A piece of text of letters ten units high, as pdf.js gives it. */
const item = (str: string, x: number, y: number, more: Partial<Item> = {}): Item => ({
  str,
  transform: [10, 0, 0, 10, x, y],
  height: 10,
  width: 50,
  hasEOL: false,
  ...more,
})
const texts = (items: Item[]) => segmentsOf(items, 1).map(({ text }) => text)

describe('the pieces of text of a page', () => {
  it('are words of one line where a gap is small, and segments of a row where it is wide', () => {
    const pieces = (gap: number) => segmentsOf([item('one', 100, 700), item('two', 150 + gap, 700)], 1)
    const shown = (gap: number) => pieces(gap).map(({ text }) => text)
    expect([shown(0), shown(1.5), shown(1.6), shown(12)]).toEqual([['onetwo'], ['onetwo'], ['one two'], ['one two']])
    expect(pieces(12.1).map(({ text, row, x, right, y }) => ({ text, row, x, right, y }))).toEqual([
      { text: 'one', row: 1, x: 100, right: 150, y: 700 },
      { text: 'two', row: 1, x: 162.1, right: 212.1, y: 700 },
    ])
  })

  it('are segments of a row where one is drawn to the left of the other', () => {
    const second = (x: number) => texts([item('one', 100, 700), item('two', x, 700)])
    expect([second(90), second(89)]).toEqual([['onetwo'], ['one', 'two']])
  })

  it('are of one row within half the size of its letters', () => {
    const rows = (y: number) => segmentsOf([item('one', 100, 700), item('two', 155, y)], 1).map(({ row }) => row)
    expect([rows(705), rows(695), rows(706), rows(694)]).toEqual([[1], [1], [1, 2], [1, 2]])
  })

  it('keep the height of the first of a row, and the size of the largest', () => {
    const raised = segmentsOf([item('one', 100, 700), item('2', 150, 704, { height: 12 })], 1)
    expect(raised).toEqual([{ text: 'one2', x: 100, right: 200, y: 700, size: 12, page: 1, row: 1 }])
    const far = segmentsOf([item('one', 100, 700, { height: 12 }), item('2', 300, 704)], 3)
    expect(far.map(({ y, size, page }) => [y, size, page])).toEqual([
      [700, 12, 3],
      [700, 10, 3],
    ])
  })

  it('have the size of their transformation where no height is given', () => {
    expect(segmentsOf([item('one', 0, 0, { height: 0, transform: [8, 0, 0, -8, 0, 0] })], 1)[0]!.size).toBe(8)
    expect(segmentsOf([item('one', 0, 0, { height: 0, transform: [] })], 1)[0]).toMatchObject({ size: 0, x: 0, y: 0 })
  })

  it('begin a row after the end of a line, at any height', () => {
    const [one, two] = [item('one', 100, 700, { hasEOL: true }), item('two', 150, 700)]
    expect(texts([one, two])).toEqual(['one', 'two'])
    expect(texts([item('one', 100, 700), item('', 0, 0, { hasEOL: true }), two])).toEqual(['one', 'two'])
  })

  it('have one space where several follow each other, and none at their ends', () => {
    const spaced = [
      item(' ', 0, 700),
      item(' one ', 100, 700),
      item('  ', 150, 700),
      item('two', 152, 700),
      item(' ', 0, 0),
    ]
    expect(texts(spaced)).toEqual(['one two'])
    expect(texts([item('one  ', 100, 700), item('two', 155, 700)])).toEqual(['one two'])
  })

  it('are not marks without text', () => {
    expect(texts([{ type: 'beginMarkedContent' } as unknown as Item, item('one', 100, 700)])).toEqual(['one'])
    expect(texts([])).toEqual([])
  })
})

const segment = (text: string, row: number, more: Partial<Segment> = {}): Segment => ({
  text,
  x: 50,
  right: 500,
  y: 800 - row * 20,
  size: 10,
  page: 1,
  row,
  ...more,
})

describe('the lines of a column', () => {
  it('join the segments of each row, with the largest of their sizes', () => {
    const segments = [segment('Basic', 1), segment('$10', 1, { size: 12 }), segment('Team', 2), segment('$20', 2)]
    expect(linesOf(segments, 4, 2)).toEqual([
      { text: 'Basic $10', y: 780, size: 12, page: 1, part: 4, flow: 2 },
      { text: 'Team $20', y: 760, size: 10, page: 1, part: 4, flow: 2 },
    ])
  })
})

describe('running headers, footers and page numbers', () => {
  /** Pages of ten lines of their own, with a line at the top and one at the bottom of some. */
  const document = (pages: number, top: (page: number) => string, bottom: (page: number) => string) =>
    Array.from({ length: pages }, (_, i) => {
      const page = i + 1
      const own = Array.from({ length: 10 }, (_, line) =>
        segment(`Line ${'abcdefghij'[line]} of part ${'abcdefghijkl'[i]}`, line + 2),
      )
      const edges = [segment(top(page), 1), ...own, segment(bottom(page), 12)]
      return edges.filter(({ text }) => text !== '').map((one) => ({ ...one, page }))
    })
  const kept = (pages: Segment[][]) =>
    withoutRunning(pages)
      .flat()
      .map(({ text }) => text)
      .filter((text) => !/^Line/.test(text))

  it('are left out where they are on at least 60 % of three pages or more', () => {
    const on = (count: number) => (page: number) => (page <= count ? 'Example, Inc.' : '')
    expect(kept(document(5, on(3), on(5)))).toEqual([])
    expect(kept(document(5, on(2), () => ''))).toEqual(['Example, Inc.', 'Example, Inc.'])
    expect(kept(document(3, on(3), () => ''))).toEqual([])
    expect(kept(document(2, on(2), () => ''))).toEqual(['Example, Inc.', 'Example, Inc.'])
  })

  it('are left out with the number of their page', () => {
    expect(
      kept(
        document(
          12,
          (page) => `Terms, sheet ${page}`,
          () => '',
        ),
      ),
    ).toEqual([])
    expect(
      kept(
        document(
          4,
          (page) => `Clause ${page + 5}`,
          () => '',
        ),
      ),
    ).toHaveLength(4)
  })

  it.each(['12', 'Page 3', 'page 3 of 10', '3 / 10', '3 of 10', '123'])(
    'are left out as %j, wherever it is',
    (text) => {
      expect(kept([[segment('Line a', 1), segment(text, 2), segment('Line b', 3)]])).toEqual([])
    },
  )

  it.each(['1234', '3 of ten', 'Page', '12 months', 'In 12', '3 of', 'page 3 of 1234'])(
    'are not such as %j',
    (text) => {
      expect(kept([[segment(text, 1)]])).toEqual([text])
    },
  )

  it('are among the three lines at the top or bottom', () => {
    const pages = (row: number) =>
      Array.from({ length: 3 }, (_, page) =>
        Array.from({ length: 10 }, (_, i) =>
          segment(i === row ? 'As said before.' : `Line ${i} of ${page}`, i, { page: page + 1 }),
        ),
      )
    expect([2, 7].map((row) => kept(pages(row)).length)).toEqual([0, 0])
    expect([3, 6].map((row) => kept(pages(row)).length)).toEqual([3, 3])
  })

  it('are at the top or bottom by their height, whatever the order in which they are drawn', () => {
    const pages = document(
      3,
      () => 'Example, Inc.',
      () => '',
    ).map((page) => [...page.slice(1, 6), page[0]!, ...page.slice(6)])
    expect(kept(pages)).toEqual([])
  })

  it('are text where more than 40 % of the lines are on most pages', () => {
    const pages = (own: number) =>
      Array.from({ length: 3 }, (_, page) =>
        ['Same a', 'Same b', ...Array.from({ length: own }, (_, i) => `Line ${i} of ${page}`)].map((text, i) =>
          segment(text, i, { page: page + 1 }),
        ),
      )
    expect(kept(pages(3))).toEqual([])
    expect(kept(pages(2))).toHaveLength(6)
  })

  it('are whole rows, and what is kept stays in segments', () => {
    const pages = document(
      3,
      () => 'Example',
      () => '',
    ).map((page) => [...page, segment('Inc.', 1, { page: page[0]!.page, x: 300 })])
    expect(kept(pages)).toEqual([])
    const row = [segment('Basic', 1), segment('Line', 1), segment('12', 1)]
    expect(withoutRunning([row])).toEqual([row])
  })
})
