import type { Place, PlaceOfPrice } from '../../places/schema.ts'
import { readPage } from '../tables/page.ts'
import type { Cell, Table } from '../tables/schema.ts'
import type { PageDeclaration, PriceRule } from './declaration.ts'
import { modelsOf } from './model-cell.ts'
import { ruleOf } from './page-rule.ts'
import { pricesOf } from './price-cell.ts'
import { locatorOf } from './read-cell.ts'
import { type Record, type RecordCell, recordsOf } from './records.ts'
import { withSentences } from './sentences.ts'

const MAX_CELL = 200
const MAX_COLUMNS = 40

/**
 * Returns the row of a page's table that a price was read from, between its neighbours. A model may have several rows, for
 * short and long requests: then that with the price.
 */
export function pagePlace(declaration: PageDeclaration, bytes: Uint8Array, wanted: PlaceOfPrice): Place | undefined {
  const page = withSentences(readPage(bytes, declaration), declaration)
  const found = page.tables.flatMap((table) => {
    const rule = ruleOf(declaration, table)
    return rule && !('ignored' in rule) ? cellsAt(table, rule, declaration, wanted.locator) : []
  })
  const shown = found.find(({ cell }) => holds(cell, wanted.price)) ?? found[0]
  return shown && shownRow(shown)
}

type CellMatch = { table: Table; record: Record; cell: RecordCell }

function cellsAt(table: Table, rule: PriceRule, { model }: PageDeclaration, locator: string): CellMatch[] {
  const read = recordsOf(table, rule)
  if ('problem' in read) return []
  return read.records.flatMap((record) => {
    const named = record.model ? modelsOf(record.model, model) : { resources: table.headings.flatMap((h) => h.codes) }
    const resources = 'resources' in named ? named.resources : []
    return record.cells
      .filter(({ heading }) => resources.some((resource) => locatorOf({ table, resource, heading }) === locator))
      .map((cell) => ({ table, record, cell }))
  })
}

/** Whether a cell has a price, whatever number of units it is for. */
const holds = ({ cell }: RecordCell, price: string | undefined): boolean =>
  price !== undefined && (pricesOf(cell.text) ?? []).some(({ amount }) => digitsOf(amount) === digitsOf(price))

/** $3 per million and $0.000003 have the same digits. */
const digitsOf = (price: string): string => price.replace('.', '').replace(/^0+|0+$/g, '')

function shownRow({ table: { headings, panes, rows, headerRows }, record, cell }: CellMatch): Place {
  const has = (wanted: Cell | undefined) => rows.findIndex((row) => wanted !== undefined && row.includes(wanted))
  // A cell that holds several prices was taken apart: its row is that of the model.
  const [own, ofModel] = [has(cell.cell), has(record.model)]
  const row = own >= 0 ? own : ofModel
  const numbers = [row - 1, row, row + 1].filter((n) => n >= headerRows && n < rows.length)
  const shown = [...rows.slice(0, headerRows), ...numbers.map((n) => rows[n]!)]
  const texts = shown.map((cells) => cells.slice(0, MAX_COLUMNS).map(({ text }) => text.slice(0, MAX_CELL)))
  const under = [...headings.map(({ text }) => text), ...panes]
  const at = row < headerRows ? row : headerRows + numbers.indexOf(row)
  const column = own >= 0 ? rows[own]!.indexOf(cell.cell) : -1
  return {
    text: [under.join(' / '), ...texts.map((cells) => cells.join(' | '))].join('\n'),
    table: {
      under,
      rows: texts,
      headerRows,
      ...(column >= 0 && column < MAX_COLUMNS && { at: [at, column] as [number, number] }),
    },
  }
}
