import type { Sql } from '../../lib/sql.ts'
import { cursorKey } from './cursor-key-store.ts'

/** Returns a function that reads the key of cursors when it is first needed and keeps it: a process that runs goes on with it. */
export function createCursorKeyReader(sql: Sql): () => Promise<Uint8Array> {
  let reading: Promise<Uint8Array> | undefined
  return () => {
    reading ??= cursorKey(sql).catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
}
