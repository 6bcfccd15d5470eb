import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { VERSION } from '../lib/process/version.ts'
import type { OpenExport } from './open-export.ts'
import { CHECKPOINT_KEY, PARQUET_SCHEMA, PROOF_KEY, parquetColumns } from './parquet-rules.ts'

/** Writes a Parquet file, one row group for each part of the rows, with the proof in its metadata. */
export async function* writeParquet({ rows, proof }: OpenExport): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter()
  const createdBy = `pricetape version ${VERSION}`
  const parquet = new ParquetWriter({ writer, schema: PARQUET_SCHEMA, createdBy })
  /** Returns what was written since it was last taken; the buffer is used again. */
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const part of rows) {
    await parquet.write({ columnData: parquetColumns(part), rowGroupSize: part.length })
    yield take()
  }
  const whole = await proof()
  parquet.kvMetadata = [
    { key: CHECKPOINT_KEY, value: whole.checkpoint },
    { key: PROOF_KEY, value: JSON.stringify(whole) },
  ]
  await parquet.finish()
  yield take()
}
