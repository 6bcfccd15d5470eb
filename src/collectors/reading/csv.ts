import { parse } from 'csv-parse/sync'
import { SnapshotError, type SnapshotReader } from '../collector.ts'
import { textReader } from './streaming.ts'

/** A row of a real table has some hundred bytes; reading one of a megabyte takes the parser seconds. */
const MAX_ROW_BYTES = 64 * 1024

/** A row by column name, and the number of the row in the file. */
export type Row = { [column: string]: string | undefined } & { line: string }

type CsvReaderOptions = { needed: string[]; onRow: (row: Row) => void }

/**
 * Reads a snapshot as rows of CSV with a header, part by part.
 * @throws SnapshotError when it is not CSV, lacks a column, ends inside a row or has no rows.
 */
export function csvReader(needed: string[], onRow: (row: Row) => void): SnapshotReader {
  const rows = new CsvRows({ needed, onRow })
  return textReader(
    (text) => rows.push(text),
    () => rows.end(),
  )
}

/** Reads a whole snapshot as rows of CSV. */
export function readCsv(bytes: Uint8Array, needed: string[]): Row[] {
  const rows: Row[] = []
  const reader = csvReader(needed, (row) => rows.push(row))
  reader.push(bytes)
  reader.end()
  return rows
}

/** Reads CSV with a header part by part, however large it is. A part is read up to its last complete row. */
class CsvRows {
  private readonly given: CsvReaderOptions
  private header: string[] | undefined
  private headerText = ''
  private rest = ''
  /** Rows that were read, the header included, and the line breaks in them. */
  private rows = 0
  private breaks = 0

  constructor(given: CsvReaderOptions) {
    this.given = given
  }

  push(text: string): void {
    this.rest += text
    const end = lastCompleteRow(this.rest)
    if (end === 0) {
      // No row is as long: the parser says what is wrong.
      if (this.rest.length > 4 * MAX_ROW_BYTES) this.read(this.rest)
      return
    }
    this.read(this.rest.slice(0, end))
    this.rest = this.rest.slice(end)
  }

  /** @throws SnapshotError when the table has no rows or ends inside one */
  end(): void {
    if (this.rest.trim() !== '') this.read(this.rest)
    if (!this.header) throw new SnapshotError('The answer is empty; a table of prices was expected.')
    if (this.rows <= 1) throw new SnapshotError('The table has a header and no rows.')
  }

  private read(text: string): void {
    if (!this.header && /^\s*<(!doctype|html|\?xml|head|body)/i.test(text))
      throw new SnapshotError('The answer is a web page, not CSV: the address may have moved or ask for a sign-in.')
    const table = this.tableOf(this.headerText + text)
    if (!this.header) {
      const first = table[0]
      if (!first) return
      this.header = headerOf(first, this.given.needed)
      // Every part begins with as many columns as the header has, so that a row of another length is noticed in each.
      this.headerText = `${first.map(() => 'x').join(',')}\n`
      this.rows = 1
    }
    for (const cells of table.slice(1)) {
      this.rows++
      const row: Row = { line: String(this.rows) }
      for (const [index, name] of this.header.entries()) row[name] = cells[index]
      row.line = String(this.rows)
      this.given.onRow(row)
    }
    this.breaks += text.split('\n').length - 1
  }

  private tableOf(text: string): string[][] {
    try {
      return parse(text, {
        bom: true,
        skip_empty_lines: true,
        trim: true,
        max_record_size: MAX_ROW_BYTES,
      }) as string[][]
    } catch (error) {
      const before = Math.max(this.breaks - 1, 0)
      const message = error instanceof Error ? error.message : String(error)
      const placed = message.replace(/on line (\d+)/, (_, line) => `on line ${Number(line) + before}`)
      throw new SnapshotError(`The table is damaged or cut off: ${placed}.`)
    }
  }
}

function headerOf(header: string[], needed: string[]): string[] {
  const missing = needed.filter((column) => !header.includes(column))
  if (missing.length > 0) throw new SnapshotError(`The table has no column ${missing.join(', ')}: the format changed.`)
  const twice = header.find((column, index) => header.indexOf(column) < index)
  // Columns without a name may be several.
  if (twice) throw new SnapshotError(`The table has two columns named ${twice}: which one holds is unknown.`)
  return header
}

/** Returns where the last row ends that is complete: a line break inside quotes ends none. */
function lastCompleteRow(text: string): number {
  if (!text.includes('"')) return text.lastIndexOf('\n') + 1
  let end = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) quoted = !quoted
    else if (code === 0x0a && !quoted) end = at + 1
  }
  return end
}
