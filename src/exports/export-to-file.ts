import type { Instant } from '../lib/instant.ts'
import { exportParts, proofParts } from './export-parts.ts'
import { PROOF_SUFFIX } from './file-name-rules.ts'
import type { OpenExport } from './open-export.ts'
import { saveFile } from './save-file.ts'
import type { ExportFormat } from './schema.ts'

export type WrittenExport = { file: string; proofFile?: string; asOf: Instant; rows: number; leaves: number }

/** Writes an export to a file. CSV has no room for its proof: that is a second file beside it. */
export async function exportToFile(open: OpenExport, file: string, format: ExportFormat): Promise<WrittenExport> {
  const { asOf, size } = open
  let count = 0
  async function* counted() {
    for await (const part of open.rows) {
      count += part.length
      yield part
    }
  }
  await saveFile(file, exportParts({ ...open, rows: counted() }, format))
  const written = { file, asOf, rows: count, leaves: size }
  if (format === 'parquet') return written
  const proofFile = `${file}${PROOF_SUFFIX}`
  await saveFile(proofFile, proofParts(open))
  return { ...written, proofFile }
}
