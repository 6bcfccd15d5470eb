import type { CheerioAPI } from 'cheerio'
import { type Element, isElement } from './elements.ts'

/** So many cells are added on a page. A page that asks for more is read as it is from there on. */
const MAX_ADDED = 20_000
/** A browser lets a cell be at most so wide. */
const MAX_WIDTH = 1_000

/** A cell that goes on in the rows below, up to the last one. It is as wide as so many columns. */
type OpenCell = { width: number; last: number }

/**
 * Leaves an empty cell in each row that a cell above spans. Markdown has no such cells: without it, the next cell of a row
 * would stand in its column. Its words are not repeated: whether a page spans a cell or leaves it empty changes no text.
 */
export function fillSpannedRows($: CheerioAPI): void {
  const budget = { left: MAX_ADDED }
  for (const rows of partsWithSpans($)) {
    const open = new Map<number, OpenCell>()
    for (const [i, row] of rows.entries()) fillRow($, row, i, open, budget)
  }
  $('[rowspan]').removeAttr('rowspan')
}

/** The rows of each head and body with such cells: a cell ends where these end. A table around another one is layout. */
function partsWithSpans($: CheerioAPI): Element[][] {
  const parts = new Set($('tr > [rowspan]').parent().parent().toArray())
  return [...parts]
    .filter((part) => $(part).find('table').length === 0)
    .map((part) => part.children.filter(isElement).filter(({ name }) => name === 'tr'))
}

/** Adds the cells of a row that are spanned from above, each before the own cell that follows it. */
function fillRow($: CheerioAPI, row: Element, index: number, open: Map<number, OpenCell>, budget: { left: number }) {
  const own = row.children.filter(isElement)
  const fromAbove = (column: number) => ((open.get(column)?.last ?? -1) >= index ? open.get(column) : undefined)
  for (let [column, next] = [0, 0]; next < own.length; ) {
    const above = fromAbove(column)
    const cell = own[next]!
    if (above) {
      if (budget.left-- <= 0) return
      $(cell).before(above.width > 1 ? `<td colspan="${above.width}"></td>` : '<td></td>')
      column += above.width
      continue
    }
    next++
    const width = Math.min(Number.parseInt(cell.attribs.colspan ?? '', 10) || 1, MAX_WIDTH)
    const last = index + rowsOf(cell) - 1
    if (last > index) open.set(column, { width, last })
    column += width
  }
}

/** In how many rows a cell is: zero means all that are left. */
function rowsOf({ attribs }: Element): number {
  const rows = Number.parseInt(attribs.rowspan ?? '', 10)
  return rows === 0 ? Number.POSITIVE_INFINITY : rows || 1
}
