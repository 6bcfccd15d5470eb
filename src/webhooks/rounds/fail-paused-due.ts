import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import * as store from './paused-store.ts'
import { ALL, slicesOf } from './shard-rules.ts'

/** Few enough that an operator who resumes the webhook waits for milliseconds. */
const BATCH = 1_000

/** Fails every delivery of these slices that is due while its webhook is paused: it is not sent. Returns how many. */
export async function failPausedDue(sql: Sql, now: Instant, slices = slicesOf(ALL)): Promise<number> {
  let unsent = 0
  for (const webhookId of await store.pausedWithDue(sql, now, slices)) {
    for (let failed = BATCH; failed === BATCH; ) {
      failed = await store.failPausedDue(sql, webhookId, now, BATCH)
      unsent += failed
    }
  }
  return unsent
}
