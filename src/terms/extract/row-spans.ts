import type { CheerioAPI } from 'cheerio'
import { type AnyNode, type Element, isElement } from './elements.ts'

/** A longer cell is said once: a word that changes in it is not a change of each row. */
const REPEATED_CHARACTERS = 100
/** So many characters are repeated on a page, tags included. A page that asks for more is read as it is from there on. */
const MAX_REPEATED = 200_000
/** A browser lets a cell be at most so wide. */
const MAX_WIDTH = 1_000
const EMPTY = '<td></td>'

/** A cell that goes on in the rows below, up to the last one. It is as wide as so many columns. */
type OpenCell = { html: string; width: number; last: number }

/**
 * Repeats each cell that spans rows in all of them. Markdown has no such cells: without it, the next cell of a row would stand
 * in its column.
 */
export function repeatSpanningCells($: CheerioAPI): void {
  const budget = { left: MAX_REPEATED }
  for (const rows of partsWithSpans($)) {
    const open = new Map<number, OpenCell>()
    for (const [i, row] of rows.entries()) if (budget.left > 0) fillRow($, row, i, open, budget)
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

/** Puts a row together from its own cells and those that come from above, each in its column. */
function fillRow($: CheerioAPI, row: Element, index: number, open: Map<number, OpenCell>, budget: { left: number }) {
  const own = row.children.filter(isElement)
  const fromAbove = (column: number) => ((open.get(column)?.last ?? -1) >= index ? open.get(column) : undefined)
  const end = [...open.keys()].reduce((last, column) => (fromAbove(column) ? Math.max(last, column) : last), -1)
  const cells: AnyNode[] = []
  for (let [column, next] = [0, 0]; next < own.length || column <= end; ) {
    const above = fromAbove(column)
    const cell = above ? undefined : own[next++]
    if (cell) {
      const width = Math.min(Number.parseInt(cell.attribs.colspan ?? '', 10) || 1, MAX_WIDTH)
      const last = index + rowsOf(cell) - 1
      if (last > index) open.set(column, { html: repeated($, cell, width), width, last })
      cells.push(cell)
      column += width
    } else {
      const { html, width } = above ?? { html: EMPTY, width: 1 }
      budget.left -= html.length
      if (budget.left <= 0) return
      cells.push(...$(html).toArray())
      column += width
    }
  }
  if (cells.length > own.length) $(row).empty().append(cells)
}

/** In how many rows a cell is: zero means all that are left. */
function rowsOf({ attribs }: Element): number {
  const rows = Number.parseInt(attribs.rowspan ?? '', 10)
  return rows === 0 ? Number.POSITIVE_INFINITY : rows || 1
}

const repeated = ($: CheerioAPI, cell: Element, width: number): string =>
  $(cell).text().trim().length > REPEATED_CHARACTERS ? `<td colspan="${width}"></td>` : $.html(cell)
