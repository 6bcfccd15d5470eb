import { readClocks } from '../catalog/clock/clock-anchor-store.ts'
import { lastPublication } from '../catalog/clock/clock-store.ts'
import { servedUndeclared } from '../catalog/sources/ended-source-store.ts'
import { type Instant, SECOND } from '../lib/instant.ts'
import { within } from '../lib/process/within.ts'
import type { Sql } from '../lib/sql.ts'
import { newestCheckRun } from './check-run-store.ts'
import { databaseAway, type HealthFacts, healthOf } from './health-rules.ts'
import { liveWorkers } from './heartbeat-store.ts'
import { installedAt } from './installation-store.ts'
import type { Health } from './schema.ts'
import { lastCount, oldestUnmatched } from './waiting-store.ts'
import { probeWrite } from './write-probe-store.ts'

/** The database has this long to answer; after that it counts as away. */
const ANSWER_WITHIN_MS = 2 * SECOND

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Returns what does not work or is degraded, as every process of an installation can tell it from the database. What
 * /readyz, `pricetape doctor`, the first screen and the workers' log say.
 * @param options.startedAt when the installation was started: no check can have finished and no worker reported before
 */
export async function readHealth(sql: Sql, options: { startedAt?: Instant } = {}): Promise<Health> {
  try {
    const facts = await within(ANSWER_WITHIN_MS, readFacts(sql))
    return healthOf({ ...facts, ...options })
  } catch (error) {
    return databaseAway((error as Error).message || String(error))
  }
}

async function readFacts(sql: Sql): Promise<HealthFacts> {
  const { reading, verdict } = await readClocks(sql)
  const [installed, lastCheck, workers, unmatched, waiting, stamp, undeclared, writeError] = await Promise.all([
    installedAt(sql),
    newestCheckRun(sql),
    liveWorkers(sql),
    oldestUnmatched(sql),
    lastCount(sql),
    lastPublication(sql),
    servedUndeclared(sql),
    writeErrorOf(sql),
  ])
  return {
    now: reading.database,
    ...(installed && { installedAt: installed }),
    ...(lastCheck && { lastCheck }),
    workers,
    ...(unmatched && { unmatched }),
    ...(waiting && { waiting }),
    lastStamp: stamp,
    clock: verdict,
    undeclared,
    ...(writeError && { writeError }),
  }
}

/** Returns what writing failed with. Waiting for another node's probe is not a failure. */
async function writeErrorOf(sql: Sql): Promise<HealthFacts['writeError']> {
  try {
    await probeWrite(sql)
    return undefined
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code === LOCK_NOT_AVAILABLE ? undefined : { code, message }
  }
}
