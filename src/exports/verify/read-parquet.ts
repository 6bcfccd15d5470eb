import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { OperatorError } from '../../lib/errors.ts'
import { COLUMN_LIST } from '../column-rules.ts'
import { PROOF_KEY } from '../parquet-rules.ts'
import type { ExportedRow } from '../schema.ts'

/** Opens a Parquet file: its lines in parts, a row group each, and the text of its proof. @throws OperatorError */
export async function openParquet(path: string): Promise<{ lines: AsyncIterable<ExportedRow[]>; proof?: string }> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file).catch((cause: Error) => {
    throw new OperatorError(`${path} is not a Parquet file: ${cause.message}`, { cause })
  })
  const names = new Set(metadata.schema.map(({ name }) => name))
  const missing = COLUMN_LIST.find(([name]) => !names.has(name))
  if (missing) throw new OperatorError(`${path} is not an export: it has no column ${missing[0]}.`)
  const columns = COLUMN_LIST.map(([name]) => name)
  async function* lines() {
    let rowStart = 0
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows)
      const rows = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd })
      yield rows.map(lineOf)
      rowStart = rowEnd
    }
  }
  return { lines: lines(), proof: metadata.key_value_metadata?.find(({ key }) => key === PROOF_KEY)?.value }
}

function lineOf(record: Record<string, unknown>): ExportedRow {
  const line: Record<string, unknown> = {}
  for (const [name, { kind }] of COLUMN_LIST) {
    const value = record[name]
    if (value === null || value === undefined) continue
    line[name] = kind === 'text' ? value : kind === 'count' ? Number(value) : (value as Date).toISOString()
  }
  return line as ExportedRow
}
