import { parse } from 'csv-parse/sync'
import { SnapshotError } from '../collector.ts'
import { textOf } from './json.ts'

/** A row of a real table has some hundred bytes; reading one of a megabyte takes the parser seconds. */
const MAX_ROW_BYTES = 64 * 1024

/** A row by column name, and the line of the file it is on. */
export type Row = { [column: string]: string | undefined } & { line: string }

/**
 * A snapshot as rows of CSV with a header.
 * @throws SnapshotError when it is not CSV, lacks a column, ends inside a row or has no rows.
 */
export function readCsv(bytes: Uint8Array, needed: string[]): Row[] {
  const text = textOf(bytes)
  if (text.trim() === '') throw new SnapshotError('The answer is empty; a table of prices was expected.')
  if (/^\s*<(!doctype|html|\?xml|head|body)/i.test(text))
    throw new SnapshotError('The answer is a web page, not CSV: the address may have moved or ask for a sign-in.')
  const [header = [], ...rows] = tableOf(text)
  const missing = needed.filter((column) => !header.includes(column))
  if (missing.length > 0) throw new SnapshotError(`The table has no column ${missing.join(', ')}: the format changed.`)
  const twice = header.find((column, index) => column !== '' && header.indexOf(column) < index)
  if (twice) throw new SnapshotError(`The table has two columns named ${twice}: which one holds is unknown.`)
  if (rows.length === 0) throw new SnapshotError('The table has a header and no rows.')
  return rows.map((cells, index) => ({
    ...Object.fromEntries(header.map((column, index) => [column, cells[index]])),
    line: String(index + 2),
  }))
}

function tableOf(text: string): string[][] {
  try {
    return parse(text, { bom: true, skip_empty_lines: true, trim: true, max_record_size: MAX_ROW_BYTES }) as string[][]
  } catch (error) {
    throw new SnapshotError(`The table is damaged or cut off: ${error instanceof Error ? error.message : error}.`)
  }
}
