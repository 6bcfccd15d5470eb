import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readClocks, saveAnchor } from '../catalog/clock/clock-anchor-store.ts'
import { v7 } from '../lib/ids.ts'
import { instantOf, SECOND } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import { within } from '../lib/process/within.ts'
import type { Sql } from '../lib/sql.ts'
import { checkSoon } from '../temporal/request-check.ts'
import { OtherInstallation } from '../temporal/schedules.ts'
import { assertTemporal, type TemporalToAssert } from './assert-temporal.ts'
import { keepCounting } from './count-waiting.ts'
import { clockConditions } from './health-rules.ts'

import { deleteHeartbeat, recordHeartbeat, type WorkerIdentity } from './heartbeat-store.ts'
import type { Metrics } from './metrics/metrics.ts'
import { readHealth } from './read-health.ts'
import { CONDITIONS, type Condition, type Health } from './schema.ts'

/** A stall is logged, and a lost store of Temporal's is found, within a minute: four times this. */
const LOOK_EVERY_MS = 15 * SECOND
/** While something is missing in Temporal, and after that for as long as it recovers, it is looked at sooner. */
const LOOK_AGAIN_MS = 5 * SECOND
/**
 * A server that lost its store refuses workflows for some seconds after it knows their search attributes again. What a
 * round could not start then waits for the next check, so checks follow each other until this is over.
 */
const RECOVERS_WITHIN_MS = 60 * SECOND
const RECORD_WITHIN_MS = 5 * SECOND
const STOP_WITHIN_MS = 2 * SECOND

export type WorkToWatch = TemporalToAssert & { sql: Sql; log: Log; metrics?: Metrics; everyMs?: number }
export type Watch = AsyncDisposable & {
  /** Rejects when these workers must not go on: another installation has the namespace. */
  failed: Promise<never>
}

/**
 * Watches the work of an installation from a process with workers: asserts what Temporal has to have, records that
 * the workers are alive, and logs when the installation stops being ready and when it is again.
 */
export function watchWork(task: WorkToWatch): Watch {
  const { sql, log, everyMs = LOOK_EVERY_MS } = task
  const identity = { workerId: v7(), host: hostname(), processId: process.pid }
  const startedAt = instantOf(Date.now())
  const stop = new AbortController()
  let refuse = (_error: Error) => {}
  const failed = new Promise<never>((_, reject) => {
    refuse = reject
  })
  failed.catch(() => {})

  async function run() {
    let said = ''
    let recoversUntil = 0
    while (!stop.signal.aborted) {
      const { created, conditions: temporal } = await assertTemporal(task)
      const recovering = performance.now() < recoversUntil
      if (created.length > 0 && !recovering) {
        logLoss(log)
        recoversUntil = performance.now() + RECOVERS_WITHIN_MS
      } else if (recovering && !task.paused) await checkSoon(task.client).catch(() => {})
      // Where this fails the database is away or cannot be written, and reading the health finds the same.
      await within(RECORD_WITHIN_MS, record(sql, identity, temporal)).catch(() => {})
      const other = temporal.find(({ code }) => code === 'two_installations')
      if (other) return refuse(new OtherInstallation(other.message))
      const health = await readHealth(sql, { startedAt })
      if (task.metrics) showConditions(task.metrics, health)
      said = logChange(log, said, health)
      const soon = temporal.length > 0 || performance.now() < recoversUntil
      const pauseMs = soon ? Math.min(everyMs, LOOK_AGAIN_MS) : everyMs
      await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
    await deleteHeartbeat(sql, identity.workerId)
  }
  const running = Promise.all([run(), keepCounting(sql, everyMs, stop.signal)])
  running.catch(() => {})
  return {
    failed,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      // A server that does not answer holds up no stop.
      await within(STOP_WITHIN_MS, running).catch(() => {})
    },
  }
}

const logLoss = (log: Log): void =>
  log.warn(
    'Temporal had lost its store: schedules and search attributes are created again. ' +
      'Checks run now, and give pending deliveries their workflows back.',
  )

/** Records what this process found, so that API nodes can say it. */
async function record(sql: Sql, identity: WorkerIdentity, found: Condition[]): Promise<void> {
  const { reading, verdict } = await readClocks(sql)
  if (verdict.state === 'steady') await saveAnchor(sql, reading)
  await recordHeartbeat(sql, identity, [...found, ...clockConditions(verdict)])
}

/** Shows every condition there can be, as 1 where it is so and as 0 where not. */
function showConditions({ conditions }: Metrics, { reasons, degraded }: Health): void {
  const found = new Set([...reasons, ...degraded].map(({ code }) => code))
  for (const [code, severity] of Object.entries(CONDITIONS))
    conditions.set({ code, severity }, found.has(code as Condition['code']) ? 1 : 0)
}

/** Logs the reasons when they are others than before. Returns what was said. */
function logChange(log: Log, before: string, { reasons, degraded }: Health): string {
  const found = [...reasons, ...degraded]
  const now = found.map(({ code }) => code).join(' ')
  if (now === before) return before
  const sentences = found.map(({ message }) => message).join(' ')
  const codes = found.map(({ code }) => code)
  if (reasons.length > 0) log.error({ codes }, `Not ready. ${sentences}`)
  else if (degraded.length > 0) log.warn({ codes }, sentences)
  else log.info('Ready again.')
  return now
}
