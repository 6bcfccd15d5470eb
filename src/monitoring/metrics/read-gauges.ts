import { freshnessOf } from '../../catalog/source-rules.ts'
import { sourceStates } from '../../catalog/source-store.ts'
import { instantOf, SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { within } from '../../lib/within.ts'
import { newestCheckRun } from '../check-run-store.ts'
import { liveWorkers } from '../heartbeat-store.ts'
import { connectionsByState, reviewAges, waitingDeliveries, webhooksByState } from './gauge-store.ts'

/** A scrape waits no longer for the database. */
const READ_WITHIN_MS = 3 * SECOND

export type InstallationState = NonNullable<Awaited<ReturnType<typeof readGauges>>>

/** Returns what the database says about an installation; undefined while it does not answer. */
export async function readGauges(sql: Sql) {
  try {
    return await within(READ_WITHIN_MS, readAll(sql))
  } catch {
    return undefined
  }
}

/** One statement after the other: a scrape takes one connection from those who serve. */
async function readAll(sql: Sql) {
  const began = performance.now()
  const connections = await connectionsByState(sql)
  const roundTripSeconds = (performance.now() - began) / SECOND
  const deliveries = await waitingDeliveries(sql)
  const webhooks = await webhooksByState(sql)
  const review = await reviewAges(sql)
  const now = instantOf(Date.now())
  const declared = (await sourceStates(sql)).filter((state) => state.declared)
  const sources = declared.map((state) => ({ ...state, freshness: freshnessOf(state, now) }))
  const lastCheck = await newestCheckRun(sql)
  const workers = (await liveWorkers(sql)).length
  const poolSize = sql.options.max
  return { connections, poolSize, roundTripSeconds, deliveries, webhooks, review, sources, lastCheck, workers }
}
