import type { SchemaElement } from 'hyparquet'
import type { ColumnSource } from 'hyparquet-writer'
import { epochMs, type Instant } from '../lib/instant.ts'
import { COLUMN_LIST } from './column-rules.ts'
import type { ExportedRow } from './schema.ts'

/** How a kind of column is stored. Decimals and JSON stay texts, because they are hashed as texts. */
const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  count: { type: 'INT64' },
} as const

/** Where a file holds what it is verified with: the proof as JSON, and its checkpoint as text. */
export const PROOF_KEY = 'pricetape.proof'
export const CHECKPOINT_KEY = 'pricetape.checkpoint'

export const PARQUET_SCHEMA: SchemaElement[] = [
  { name: 'prices', num_children: COLUMN_LIST.length },
  ...COLUMN_LIST.map(([name, { kind, optional }]) => ({
    name,
    ...ELEMENTS[kind],
    repetition_type: optional ? ('OPTIONAL' as const) : ('REQUIRED' as const),
  })),
]

/** Returns rows column by column. */
export function parquetColumns(rows: readonly ExportedRow[]): ColumnSource[] {
  return COLUMN_LIST.map(([name, { kind }]) => ({
    name,
    data: rows.map((row) => {
      const value = row[name]
      if (value === undefined || kind === 'text') return value
      return BigInt(kind === 'instant' ? epochMs(value as Instant) : (value as number))
    }),
  }))
}
