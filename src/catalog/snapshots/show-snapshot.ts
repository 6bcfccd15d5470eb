import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { readSnapshot } from './snapshot-store.ts'

/** More than this of a snapshot is not shown. */
const SHOWN_BYTES = 256 * 1024

export type SnapshotText = { hash: string; size: number; text: string; truncated: boolean }

/** Returns the bytes of a snapshot as text; what is not text is shown as replacement characters. @throws AppError not_found */
export async function showSnapshot(sql: Sql, hash: string): Promise<SnapshotText> {
  const bytes = await readSnapshot(sql, hash)
  if (!bytes) throw new AppError('not_found', 'This snapshot is not kept any more.')
  const text = new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES))
  return { hash, size: bytes.length, text, truncated: bytes.length > SHOWN_BYTES }
}
