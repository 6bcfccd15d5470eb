import { randomBytes } from 'node:crypto'
import type { Sql } from '../../lib/sql.ts'
import { replaceCursorKey } from './cursor-key-store.ts'

const KEY_BYTES = 32

/** Makes another key for cursors. Those of before are refused by every API process that starts from now on. */
export async function rotateCursorKey(sql: Sql): Promise<void> {
  await sql.begin((tx) => replaceCursorKey(tx, randomBytes(KEY_BYTES)))
}
