import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { fillSpannedRows } from '../../../src/terms/extract/row-spans.ts'
import { differenceOf } from '../compare/read.ts'

/** The rows of a table after its spanned cells were filled: what each cell says, and - for one that says nothing. */
const rowsOf = (rows: string) => {
  const $ = load(`<table>${rows}</table>`)
  fillSpannedRows($)
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
    ['once', row('<td rowspan=2>A', 'b') + row('c'), ['A b', '- c']],
    ['as often as it says', row('<td rowspan=3>A', 'b') + row('c') + row('d') + row('e', 'f'), ['A b', '- c', '- d', 'e f']],
    ['at its own column', row('a', '<th rowspan=2>B', 'c') + row('d', 'e'), ['a B c', 'd - e']],
    ['not behind the last cell of a row', row('a', '<td rowspan=2>B') + row('c'), ['a B', 'c']],
    ['beside another one', row('<td rowspan=3>A', '<td rowspan=2>B', 'c') + row('d') + row('e', 'f'), ['A B c', '- - d', '- e f']],
    ['over several columns', row('<td rowspan=2 colspan=2>A', 'b') + row('c'), ['A b', '- c']],
    ['up to the end of its part of the table', `<thead>${row('<th rowspan=9>A', '<th>b')}</thead><tbody>${row('c', 'd')}`, ['A b', 'c d']],
    ['up to that end where it says zero', row('<td rowspan=0>A', 'b') + row('c') + row('d'), ['A b', '- c', '- d']],
    ['without a number not at all', row('<td rowspan=x>A', 'b') + row('c'), ['A b', 'c']],
  ])('keeps its place in each of them: %s', (_, rows, expected) => {
    expect(rowsOf(rows)).toEqual(expected)
  }) // biome-ignore format: a table reads best in lines

  it('does not make a page too long: 20,000 cells are added to it at most', () => {
    const cells = Array.from({ length: 300 }, (_, i) => `<td rowspan=65535>name${i}`)
    const $ = load(`<table>${row(...cells)}${row('x').repeat(5_000)}</table>`)
    fillSpannedRows($)
    expect($('td').length).toBe(300 + 5_000 + 20_000)
    expect($('tr').eq(1).children()).toHaveLength(301)
  })

  it('says the same as an empty cell in its place', () => {
    const table = (first: string, second: string) =>
      extractHtml(`<main><table><tbody>${first}${second}</table></main>`, { select: ['main'], remove: [] }).markdown
    const spanned = table(row('<td rowspan=2>Hosting', 'AWS'), row('Google Cloud'))
    expect(differenceOf(spanned, table(row('Hosting', 'AWS'), row('', 'Google Cloud'))).rows).toEqual([])
    expect(spanned).toBe(table(row('Hosting', 'AWS'), row('', 'Google Cloud')))
  })

  it('does not hide which sub-processor was added', () => {
    const table = (count: number, ...more: string[]) =>
      extractHtml(
        `<main><h2>Hosts</h2><table><thead>${row('Category', 'Sub-processor', 'Location')}</thead><tbody>
        ${row(`<td rowspan=${count}>Hosting`, 'AWS', 'USA')}${row('Google Cloud', 'Ireland')}${more.join('')}</table></main>`,
        { select: ['main'], remove: [] },
      ).markdown
    expect(table(2)).toMatch(/\|\s*\| Google Cloud \| Ireland \|/)
    expect(differenceOf(table(2), table(3, row('Azure', 'France'))).rows).toEqual([
      { section: 'Hosts', added: ['Azure'], removed: [], changed: [] },
    ])
  })
})
