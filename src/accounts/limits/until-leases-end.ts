import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../lib/sql.ts'
import { leasesEndIn } from './lease-store.ts'

/** Returns when no process serves these deleted keys from leased tokens any more: after a second at most. */
export async function untilLeasesEnd(sql: Sql, keyIds: string[]): Promise<void> {
  if (keyIds.length > 0) await sleep(await leasesEndIn(sql, keyIds))
}
