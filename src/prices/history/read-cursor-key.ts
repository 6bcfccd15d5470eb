import { openCursor } from '../../lib/cursor.ts'
import type { Sql } from '../../lib/sql.ts'
import { type CursorKeys, cursorKeys } from './cursor-key-store.ts'

/** The key for new cursors, and the one that opens the cursor at hand; both are the same where none does. */
type KeysFor = { sealing: Uint8Array; opening: Uint8Array }

/**
 * Returns a function that finds the keys for a request. They are read when they are first needed, and again when none of
 * them opens a cursor: another process may have made another key since.
 */
export function createCursorKeyReader(sql: Sql): (cursor?: string) => Promise<KeysFor> {
  let reading: Promise<CursorKeys> | undefined
  function read(): Promise<CursorKeys> {
    const started = cursorKeys(sql).catch((error: unknown) => {
      if (reading === started) reading = undefined
      throw error
    })
    reading = started
    return started
  }
  return async (cursor) => {
    const { sealing, earlier } = await (reading ?? read())
    if (cursor === undefined) return { sealing, opening: sealing }
    const opening = opener([sealing, ...earlier], cursor)
    if (opening) return { sealing, opening }
    const again = await read()
    return { sealing: again.sealing, opening: opener([again.sealing, ...again.earlier], cursor) ?? again.sealing }
  }
}

const opener = (keys: Uint8Array[], cursor: string): Uint8Array | undefined =>
  keys.find((key) => openCursor(key, cursor) !== undefined)
