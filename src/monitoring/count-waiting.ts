import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { limitStatements } from './metrics/gauge-store.ts'
import { countDeliveries, lockStaleCount } from './waiting-store.ts'

/** Ten million deliveries are counted in this time. */
const COUNT_WITHIN_MS = 60 * SECOND

/** Counts what waits to be delivered, where it is time to and no other worker does. Returns whether it counted. */
export async function countWaiting(sql: Sql): Promise<boolean> {
  const counted = await sql.begin(async (tx) => {
    await limitStatements(tx, COUNT_WITHIN_MS)
    if (!(await lockStaleCount(tx))) return false
    await countDeliveries(tx)
    return true
  })
  return counted as boolean
}

/** Keeps the counts until the signal comes. A count that fails is missing from scrapes, which is an alert. */
export async function keepCounting(sql: Sql, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await countWaiting(sql).catch(() => {})
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
}
