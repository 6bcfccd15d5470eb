import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../src/lib/sql.ts'

/** Resolves when a session of this database waits for a lock. */
export async function someoneWaits(sql: Sql): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const [row] = await sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row!.waiting > 0) return
    await sleep(10)
  }
  throw new Error('no one waits for a lock')
}
