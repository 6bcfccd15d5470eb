import { columnsOf, transposed } from '../tables/grid.ts'
import type { Cell, Table } from '../tables/schema.ts'
import { headingKey } from '../tables/text.ts'
import { isSeveral, labelOf, type Meaning, type PriceRule, type Several, standsFor } from './declaration.ts'
import { separated } from './several.ts'

/** What a table says of one model, or of the models that its heading names. */
export type Record = {
  /** Absent where the heading names the models. */
  model?: Cell
  cells: RecordCell[]
}
export type RecordCell = { heading: string; meaning: Exclude<Meaning, Several> | undefined; cell: Cell; unread?: true }
export type Records = { records: Record[]; headings: string[] }

/** Reads a table as records of models, whichever way round it stands. A sentence says why it is none. */
export function recordsOf(table: Table, rule: PriceRule): Records | { problem: string } {
  if (rule.models === 'heading') return byHeading(table, rule)
  if (rule.models !== 'columns') return byRow(table, rule)
  const leading = table.rows[0]?.findIndex(({ text }) => standsFor(rule.meanings, headingKey(text)) !== 'model') ?? -1
  if (leading < 1) return { problem: 'does not begin with a row of models' }
  return byRow(transposed(table, leading), rule)
}

function byRow(table: Table, { meanings }: PriceRule): Records | { problem: string } {
  const headings = keysOf(table)
  const all = headings.map((heading) => standsFor(meanings, heading))
  const model = all.indexOf('model')
  if (model < 0) return { problem: `has no column of models; its columns are ${shown(headings)}` }
  const twice = headings.find((heading, at) => all[at] && all[at] !== 'ignored' && headings.indexOf(heading) < at)
  if (twice !== undefined) return { problem: `has two columns “${twice}”` }
  const records: Record[] = []
  for (const row of table.rows.slice(table.headerRows)) {
    // A row whose one cell spans the table heads those below it.
    if (row.length === headings.length && headings.length > 1 && new Set(row).size === 1) continue
    if (row.length !== headings.length)
      return { problem: `has a row of ${row.length} cells under ${headings.length} columns: “${row[0]?.text ?? ''}”` }
    const cells = row.flatMap((cell, at) => (at === model ? [] : cellsOf(headings[at]!, all[at], cell)))
    records.push({ model: row[model]!, cells })
  }
  return { records, headings }
}

function byHeading(table: Table, { meanings, prices }: PriceRule): Records | { problem: string } {
  const headings = keysOf(table)
  const column = headings.indexOf(prices!)
  if (column < 0) return { problem: `has no column “${prices}”; its columns are ${shown(headings)}` }
  const rows = table.rows.slice(table.headerRows).filter((row) => new Set(row).size > 1)
  const cells = rows.flatMap((row) => {
    const heading = headingKey(row[0]?.text ?? '')
    const cell = row[column]
    return cell ? [cellsOf(heading, standsFor(meanings, heading), cell)] : []
  })
  if (cells.length !== rows.length) return { problem: `has a row without a cell in “${prices}”` }
  return { records: [{ cells: cells.flat() }], headings: cells.flatMap(([first]) => first?.heading ?? []) }
}

/** The cell under a heading, or where it holds several prices one for each. */
function cellsOf(heading: string, meaning: Meaning | undefined, cell: Cell): RecordCell[] {
  if (!isSeveral(meaning)) return [{ heading, meaning, cell }]
  return separated(cell, meaning).map((one) => ({ heading: `${heading} / ${labelOf(one.meaning)}`, ...one }))
}

const keysOf = (table: Table): string[] => columnsOf(table).map((texts) => texts.map(headingKey).join(' / '))
export const shown = (headings: string[]): string => headings.map((heading) => `“${heading}”`).join(', ')
