import { freshnessOf } from '../../catalog/sources/source-rules.ts'
import { sourceStates } from '../../catalog/sources/source-store.ts'
import { instantOf, SECOND } from '../../lib/instant.ts'
import { within } from '../../lib/process/within.ts'
import type { Db, Sql } from '../../lib/sql.ts'
import { newestCheckRun } from '../check-run-store.ts'
import { liveWorkers } from '../heartbeat-store.ts'
import { lastCount } from '../waiting-store.ts'
import {
  connectionsByState,
  contradictedLines,
  limitStatements,
  logSize,
  newestAccuracy,
  ping,
  reviewAges,
  webhooksByState,
} from './gauge-store.ts'

/** A database that does not answer the smallest statement within this is away. */
const PING_WITHIN_MS = 3 * SECOND
/** What takes longer is absent from a scrape, alone; the statement is ended. */
const GROUP_WITHIN_MS = SECOND
/** Together, so that Prometheus does not give up the scrape. */
const ALL_WITHIN_MS = 6 * SECOND

/** What is read together is known or unknown together. What is needed most is read first. */
const GROUPS = {
  deliveries: lastCount,
  checks: async (db: Db) => ({ last: await newestCheckRun(db), workers: (await liveWorkers(db)).length }),
  connections: connectionsByState,
  webhooks: webhooksByState,
  review: reviewAges,
  contradicted: contradictedLines,
  accuracy: newestAccuracy,
  log: logSize,
  sources: async (db: Db) => {
    const now = instantOf(Date.now())
    const declared = (await sourceStates(db)).filter((state) => state.declared)
    return declared.map((state) => ({ ...state, freshness: freshnessOf(state, now) }))
  },
}

/** What the database says about an installation; a group that could not be read is absent. */
export type InstallationState = { up: boolean; pool?: { roundTripSeconds: number; size: number } } & {
  [Group in keyof typeof GROUPS]?: Awaited<ReturnType<(typeof GROUPS)[Group]>>
}

/** One statement after the other: a scrape takes one connection from those who serve. */
export async function readGauges(sql: Sql): Promise<InstallationState> {
  const began = performance.now()
  const up = await within(PING_WITHIN_MS, ping(sql)).then(
    () => true,
    () => false,
  )
  if (!up) return { up }
  const pool = { roundTripSeconds: (performance.now() - began) / SECOND, size: sql.options.max }
  const state: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(GROUPS)) {
    if (performance.now() - began < ALL_WITHIN_MS) state[name] = await readGroup<unknown>(sql, read)
  }
  return { up, pool, ...state }
}

async function readGroup<T>(sql: Sql, read: (db: Db) => Promise<T>): Promise<T | undefined> {
  const limited = sql.begin(async (tx) => {
    await limitStatements(tx, GROUP_WITHIN_MS)
    return read(tx)
  }) as Promise<T>
  return within(2 * GROUP_WITHIN_MS, limited).catch(() => undefined)
}
