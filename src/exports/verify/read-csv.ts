import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { OperatorError } from '../../lib/errors.ts'
import { COLUMN_LIST } from '../column-rules.ts'
import type { ExportedRow } from '../schema.ts'

const PART_LINES = 10_000

/** Reads the lines of a CSV file in parts. @throws OperatorError for a file with other columns */
export async function* readCsvLines(file: string): AsyncGenerator<ExportedRow[]> {
  const parser = createReadStream(file).pipe(parse({ columns: (names: string[]) => checked(names, file) }))
  let part: ExportedRow[] = []
  for await (const record of parser) {
    part.push(lineOf(record as Record<string, string>))
    if (part.length < PART_LINES) continue
    yield part
    part = []
  }
  yield part
}

function checked(names: string[], file: string): string[] {
  const missing = COLUMN_LIST.find(([name]) => !names.includes(name))
  if (missing) throw new OperatorError(`${file} is not an export: it has no column ${missing[0]}.`)
  return names
}

function lineOf(record: Record<string, string>): ExportedRow {
  const line: Record<string, unknown> = {}
  for (const [name, { kind, optional }] of COLUMN_LIST) {
    const text = record[name]!
    if (optional && text === '') continue
    line[name] = kind === 'count' ? Number(text) : text
  }
  return line as ExportedRow
}
