import { randomBytes } from 'node:crypto'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { replaceCursorKey } from './cursor-key-store.ts'

const KEY_BYTES = 32
/** Earlier keys are kept for good, and a cursor of unknown origin is tried with each: a hundred take milliseconds. */
const MAX_EARLIER_KEYS = 100

/**
 * Makes another key for cursors. Cursors do not expire, so the keys before it still open theirs.
 * @throws OperatorError when there are as many as are kept
 */
export async function rotateCursorKey(sql: Sql): Promise<void> {
  const key = randomBytes(KEY_BYTES)
  if (await sql.begin((tx) => replaceCursorKey(tx, key, MAX_EARLIER_KEYS))) return
  throw new OperatorError(
    `The key of cursors was replaced ${MAX_EARLIER_KEYS} times. Cursors do not expire, so no earlier key can be dropped ` +
      'for another one: leave the key as it is.',
  )
}
