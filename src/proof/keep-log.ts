import { noticeRestore } from '../catalog/clock/begin-restored-timeline.ts'
import type { Sql } from '../lib/sql.ts'
import { signing } from './keys/key-rules.ts'
import { logKeys } from './keys/key-store.ts'
import { makeKey } from './keys/rotate-log-key.ts'
import { lockLog } from './log-store.ts'
import type { LogNames } from './origin-rules.ts'
import { signTree } from './sign-checkpoint.ts'
import { appendLeaves } from './tree/append-leaves.ts'

export type LogReport = { leaves: number; size: number; done: boolean }

type Tools = { sql: Sql; names: LogNames; secretKey: Uint8Array }

/**
 * Appends what was published since the log was written last, and signs it. A restore of the database is noticed before
 * anything is: what was signed under one name never gets another continuation.
 * @param stop ends it early, after a part; the next call goes on there
 */
export async function keepLog(
  { sql, names, secretKey }: Tools,
  stop: (size: number) => boolean = () => false,
): Promise<LogReport> {
  await noticeRestore(sql)
  let [leaves, size, done] = [0, 0, false]
  while (!done) {
    const part = await appendLeaves(sql, names)
    leaves += part.leaves
    size = part.size
    done = part.done
    if (stop(size)) break
  }
  await sql.begin(async (tx) => {
    const state = await lockLog(tx)
    if (signing(await logKeys(tx)).length === 0) await makeKey(tx, secretKey, state.size)
    await signTree(tx, secretKey, state)
  })
  return { leaves, size, done }
}
