import type { Db, Tx } from '../../lib/sql.ts'

/** Returns the key that this installation's cursors are sealed with. The migration that made its table made it. */
export async function cursorKey(db: Db): Promise<Uint8Array> {
  const [row] = await db<{ key: Uint8Array }[]>`select key from cursor_key`
  return row!.key
}

/** Replaces the key of cursors. */
export async function replaceCursorKey(tx: Tx, key: Uint8Array): Promise<void> {
  await tx`update cursor_key set key = ${key}`
}
