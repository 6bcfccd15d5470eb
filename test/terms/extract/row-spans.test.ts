import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { repeatSpanningCells } from '../../../src/terms/extract/row-spans.ts'
import { differenceOf } from '../compare/read.ts'

/** The rows of a table after its cells were repeated: what each cell says, and - for one that says nothing. */
const rowsOf = (rows: string) => {
  const $ = load(`<table>${rows}</table>`)
  repeatSpanningCells($)
  expect($('[rowspan]')).toHaveLength(0)
  return $('tr')
    .toArray()
    .map((row) =>
      $(row)
        .children()
        .toArray()
        .map((cell) => $(cell).text() || '-')
        .join(' '),
    )
}
const row = (...cells: string[]) => `<tr>${cells.map((cell) => (cell.startsWith('<') ? cell : `<td>${cell}`)).join('')}`

describe('a cell that spans rows', () => {
  it.each<[what: string, rows: string, expected: string[]]>([
    ['once', row('<td rowspan=2>A', 'b') + row('c'), ['A b', 'A c']],
    ['as often as it says', row('<td rowspan=3>A', 'b') + row('c') + row('d') + row('e', 'f'), ['A b', 'A c', 'A d', 'e f']],
    ['at its own column', row('a', '<th rowspan=2>B', 'c') + row('d', 'e'), ['a B c', 'd B e']],
    ['behind the last cell of a row', row('a', '<td rowspan=2>B') + row('c'), ['a B', 'c B']],
    ['beside another one', row('<td rowspan=3>A', '<td rowspan=2>B', 'c') + row('d') + row('e', 'f'), ['A B c', 'A B d', 'A e f']],
    ['over several columns', row('<td rowspan=2 colspan=2>A', 'b') + row('c'), ['A b', 'A c']],
    ['behind columns that the row lacks', row('a', 'b', '<td rowspan=2>C') + row('d'), ['a b C', 'd - C']],
    ['up to the end of its part of the table', `<thead>${row('<th rowspan=9>A', '<th>b')}</thead><tbody>${row('c', 'd')}`, ['A b', 'c d']],
    ['up to that end where it says zero', row('<td rowspan=0>A', 'b') + row('c') + row('d'), ['A b', 'A c', 'A d']],
    ['without a number not at all', row('<td rowspan=x>A', 'b') + row('c'), ['A b', 'c']],
  ])('is repeated in each of them: %s', (_, rows, expected) => {
    expect(rowsOf(rows)).toEqual(expected)
  }) // biome-ignore format: a table reads best in lines

  it('keeps its place without its words when it has more than 100 characters', () => {
    const long = (length: number) => rowsOf(row(`<td rowspan=2>${'x'.repeat(length)}`, 'b') + row('c'))[1]
    expect(long(100)).toBe(`${'x'.repeat(100)} c`)
    expect(long(101)).toBe('- c')
  })

  it('does not make a page too long: 200,000 characters are repeated on it at most', () => {
    const cells = Array.from({ length: 300 }, (_, i) => `<td rowspan=65535>name${i}`)
    const $ = load(`<table>${row(...cells)}${row('x').repeat(5_000)}</table>`)
    const before = $.html().length
    repeatSpanningCells($)
    expect($.html().length).toBeLessThan(before + 200_000)
    expect($('tr').eq(1).children()).toHaveLength(301)
  })

  it('does not hide which sub-processor was added', () => {
    const table = (count: number, ...more: string[]) =>
      extractHtml(
        `<main><h2>Hosts</h2><table><thead>${row('Category', 'Sub-processor', 'Location')}</thead><tbody>
        ${row(`<td rowspan=${count}>Hosting`, 'AWS', 'USA')}${row('Google Cloud', 'Ireland')}${more.join('')}</table></main>`,
        { select: ['main'], remove: [] },
      ).markdown
    expect(table(2)).toContain('| Hosting | Google Cloud | Ireland |')
    expect(differenceOf(table(2), table(3, row('Azure', 'France'))).rows).toEqual([
      { section: 'Hosts', added: ['Azure'], removed: [], changed: [] },
    ])
  })
})
