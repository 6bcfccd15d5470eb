import { csvRow } from '../lib/text/csv-rules.ts'
import { COLUMN_LIST } from './column-rules.ts'
import type { OpenExport } from './open-export.ts'

/** Writes a header row and a line for each row (RFC 4180, UTF-8). */
export async function* writeCsv({ rows }: OpenExport): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvRow(COLUMN_LIST.map(([name]) => name)))
  for await (const part of rows) {
    yield Buffer.from(part.map((row) => csvRow(COLUMN_LIST.map(([name]) => row[name]))).join(''))
  }
}
