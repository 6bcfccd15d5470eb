import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../src/lib/sql.ts'

/** Resolves when sessions of this database wait for a lock: one, or as many as are named. */
export async function someoneWaits(sql: Sql, count = 1): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const [row] = await sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting >= count) return
    await sleep(10)
  }
  throw new Error('no one waits for a lock')
}
