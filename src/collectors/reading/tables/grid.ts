import { SnapshotError } from '../../snapshot-error.ts'
import type { Cell, Table } from './schema.ts'

/** No price table has more; a span beyond them would fill memory. */
const MAX_SPAN = 1_000
const MAX_COLUMNS = 200
const MAX_CELLS = 50_000

const cellOf = (text: string, isHeading: boolean): Cell => ({ text, codes: [], links: [], labels: [], isHeading })

/** Where a row of a table that is turned has no cell. */
const NOTHING = cellOf('', false)

export type SpanningCell = Cell & { rowSpan: number; columnSpan: number }

/** Puts a cell that spans rows or columns into each of them. */
export function gridOf(rows: SpanningCell[][]): Cell[][] {
  const grid: Cell[][] = rows.map(() => [])
  let cells = 0
  for (const [at, row] of rows.entries()) {
    let column = 0
    for (const { rowSpan, columnSpan, ...cell } of row) {
      while (grid[at]![column]) column++
      if (rowSpan > MAX_SPAN || columnSpan > MAX_SPAN)
        throw new SnapshotError(`A cell of a table spans more than ${MAX_SPAN} rows or columns.`)
      const below = rowSpan === 0 ? rows.length : Math.min(at + rowSpan, rows.length)
      for (let down = at; down < below; down++)
        for (let across = column; across < column + columnSpan; across++) {
          if (across >= MAX_COLUMNS || ++cells > MAX_CELLS)
            throw new SnapshotError(`A table has more than ${MAX_COLUMNS} columns or ${MAX_CELLS} cells.`)
          grid[down]![across] ??= cell
        }
      column += columnSpan
    }
  }
  return grid
}

/** Rows become columns: for a table whose columns are models. Its leading columns become the rows of the header. */
export function transposed(table: Table, leading: number): Table {
  const width = Math.max(0, ...table.rows.map((row) => row.length))
  const rows = Array.from({ length: width }, (_, column) => table.rows.map((row) => row[column] ?? NOTHING))
  return { ...table, rows, headerRows: leading }
}

/** The headings of each column from the top down, each once: `Prompt caching`, `5m writes`. */
export function columnsOf({ rows, headerRows }: Table): string[][] {
  const width = Math.max(0, ...rows.slice(0, headerRows).map((row) => row.length))
  return Array.from({ length: width }, (_, column) => {
    const texts = rows.slice(0, headerRows).map((row) => row[column]?.text ?? '')
    return texts.filter((text, index) => text !== '' && text !== texts[index - 1])
  })
}

/** A table of texts under a heading; the first row names the columns. */
export const tableOf = (heading: string, rows: string[][]): Table => ({
  headings: [{ level: 2, text: heading, codes: [] }],
  panes: [],
  before: [heading],
  rows: rows.map((texts, at) => texts.map((text) => cellOf(text, at === 0))),
  headerRows: 1,
})
