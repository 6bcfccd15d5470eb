import type { Db, Tx } from '../../lib/sql.ts'

/** The key that cursors are sealed with, and the keys before it, the newest first: they still open theirs. */
export type CursorKeys = { sealing: Uint8Array; earlier: Uint8Array[] }

/** Returns the keys of this installation's cursors. The migration that made their table made the first. */
export async function cursorKeys(db: Db): Promise<CursorKeys> {
  const [row] = await db<CursorKeys[]>`
    select key as sealing, array(select key from earlier_cursor_key order by replaced_at desc, key) as earlier
    from cursor_key`
  return row!
}

/** Seals cursors with another key from now on, and keeps the one before, unless this many are kept. */
export async function replaceCursorKey(tx: Tx, key: Uint8Array, mostEarlier: number): Promise<boolean> {
  const [before] = await tx<{ key: Uint8Array }[]>`select key from cursor_key for update`
  const kept = await tx`
    insert into earlier_cursor_key (key)
    select ${before!.key} where (select count(*) from earlier_cursor_key) < ${mostEarlier} returning 1`
  if (kept.length === 0) return false
  await tx`update cursor_key set key = ${key}`
  return true
}
