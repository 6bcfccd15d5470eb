import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { OperatorError } from '../../lib/errors.ts'
import { type ReportLine, reportLine } from './usage-report-rules.ts'

/** A page of OpenAI's or Anthropic's usage API: results by time. Several pages may stand in a list. */
const page = z.object({ data: z.array(z.object({ results: z.array(z.unknown()) })) })

/**
 * Returns what a usage report counts: pages of OpenAI's or Anthropic's usage API, the CSV of Anthropic's console, or a CSV
 * or JSON list with a column `model` and one for each dimension. @throws OperatorError
 */
export async function readUsageReport(file: string): Promise<ReportLine[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`The report could not be read: ${error.message}`)
  })
  const rows = rowsOf(text, file)
  const lines = rows.map((row, n) => {
    const line = reportLine(withoutNulls(row))
    if (line) return line
    throw new OperatorError(`${file}: row ${n + 1} names no model, or counts nothing that is known. ${FORMATS}`)
  })
  if (lines.length > 0) return lines
  throw new OperatorError(`${file} has no rows. ${FORMATS}`)
}

const FORMATS =
  'Give pages of OpenAI’s or Anthropic’s usage API, grouped by model, or a CSV with a column model and one for each dimension, as in input_tokens.'

function rowsOf(text: string, file: string): unknown[] {
  const json = parsed(text)
  if (json === undefined) return csvRows(text, file)
  const list = Array.isArray(json) ? json : [json]
  return list.flatMap((one) => page.safeParse(one).data?.data.flatMap(({ results }) => results) ?? [one])
}

function csvRows(text: string, file: string): unknown[] {
  try {
    return parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true })
  } catch (error) {
    throw new OperatorError(`${file} is neither JSON nor CSV: ${(error as Error).message}`)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null counts as left out, as in the APIs. */
const withoutNulls = (row: unknown): unknown =>
  JSON.parse(JSON.stringify(row), (_, value: unknown) => (value === null ? undefined : value))
