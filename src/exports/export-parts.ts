import type { OpenExport } from './open-export.ts'
import type { ExportFormat } from './schema.ts'
import { writeCsv } from './write-csv.ts'
import { writeParquet } from './write-parquet.ts'

const WRITERS: Record<ExportFormat, (open: OpenExport) => AsyncGenerator<Uint8Array>> = {
  csv: writeCsv,
  parquet: writeParquet,
}

/** Writes an open export in one of the formats, part by part: the next part is read when the last one was taken. */
export const exportParts = (open: OpenExport, format: ExportFormat): AsyncGenerator<Uint8Array> => WRITERS[format](open)

/** Writes what a file is verified with. */
export async function* proofParts(open: OpenExport): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(await open.proof())}\n`)
}
