import { readFile } from 'node:fs/promises'
import { OperatorError } from '../../lib/errors.ts'
import { PROOF_SUFFIX } from '../file-name-rules.ts'
import { type ExportedRow, type ExportProof, exportProof } from '../schema.ts'
import { readCsvLines } from './read-csv.ts'
import { openParquet } from './read-parquet.ts'

/** A file that was exported: its lines in parts, and its proof. */
export type ReadExport = { lines: AsyncIterable<ExportedRow[]>; proof: ExportProof }

/** Opens an exported file by its ending. @throws OperatorError for one that is not an export or lacks its proof */
export async function readExport(file: string): Promise<ReadExport> {
  if (/\.parquet$/i.test(file)) {
    const { lines, proof } = await openParquet(file)
    return { lines, proof: readProof(proof, file) }
  }
  const beside = `${file}${PROOF_SUFFIX}`
  const text = await readFile(beside, 'utf8').catch((cause: Error) => {
    throw new OperatorError(`The proof of ${file} is not beside it: ${cause.message}`, { cause })
  })
  return { lines: readCsvLines(file), proof: readProof(text, beside) }
}

function readProof(text: string | undefined, file: string): ExportProof {
  try {
    return exportProof.parse(JSON.parse(text ?? ''))
  } catch (cause) {
    throw new OperatorError(`${file} has no proof of an export: write it again with npx pricetape export.`, { cause })
  }
}
