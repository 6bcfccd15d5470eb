import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Runtime } from '@temporalio/worker'
import { type OpenContext, openContext } from '../context.ts'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import { createMetrics, type Metrics } from '../monitoring/metrics/metrics.ts'
import { chooseSdkMetrics } from '../monitoring/metrics/sdk-metrics.ts'
import { prepareTemporal } from '../monitoring/prepare-temporal.ts'
import { watchWork } from '../monitoring/watch-work.ts'
import { cachedBundle } from '../temporal/cached-bundle.ts'
import { externalTemporal } from '../temporal/external.ts'
import { runtimeOptions } from '../temporal/log.ts'
import { endOrphanedRuns } from '../temporal/orphaned-runs.ts'
import { checkSoon } from '../temporal/request-check.ts'
import type { ScheduleSettings } from '../temporal/schedule-options.ts'
import { OtherInstallation } from '../temporal/schedules.ts'
import { buildWorkers, openPollingConnection, type Workers } from '../worker.ts'
import { unpreparedReason } from './database-prepared.ts'
import { checkSecretKey } from './first-start.ts'
import { monitorDatabase, monitorWorker, trace, type WorkerState } from './monitor-process.ts'
import { type RoleContext, report, supervised, untilSuccess } from './role.ts'

/** More than an attempt in hand may take; what still runs then is broken off. */
const FINISH_WITHIN_MS = 7 * SECOND
/** A server that took a request and then died may never answer it: it is asked again. */
const PREPARE_WITHIN_MS = 60 * SECOND

export type WorkerOptions = {
  /** No other worker runs on this Temporal: what an earlier one left unfinished can be ended. */
  only?: boolean
  /** Checks run only when they are requested. */
  paused?: boolean
}

/** Runs checks and deliveries until it is asked to stop. Waits for the database and Temporal as long as it takes. */
export async function runWorker(context: RoleContext, options: WorkerOptions): Promise<void> {
  const { log, stop } = context
  // The SDK would take Ctrl-C for itself.
  const { tracing } = context.config
  await using _tracing = tracing && (await trace(tracing, 'worker'))
  const metrics = context.config.monitoring && createMetrics('worker')
  const sdk = metrics && (await chooseSdkMetrics())
  Runtime.install(runtimeOptions(log, sdk?.bindAddress))
  const state: WorkerState = { working: false }
  await using _monitoring = metrics && (await monitorWorker({ ...context, metrics, sdk: sdk!.read }, state))
  const bundle = cachedBundle(resolve(context.config.dataDir), log)
  bundle.catch(() => {})
  const ctx = await untilSuccess(context, () => openWhenPrepared(context, metrics))
  if (!ctx) return
  monitorDatabase(ctx.sql, metrics, state)
  await checkSecretKey(ctx.sql, ctx.secretKey)
  const schedules = await untilSuccess(context, () => prepare(ctx, options))
  if (!schedules) return
  if (schedules instanceof OtherInstallation) throw schedules
  const connection = await openPollingConnection(ctx.access)
  const workers = await buildWorkers(ctx, connection, { bundle: await bundle })
  const running = workers.run()
  state.working = true
  if (!options.paused)
    await checkSoon(ctx.temporal).catch((err) => log.warn({ err }, 'The first check was not started'))
  const { sql, connection: asserting, temporal: client } = ctx
  const watch = watchWork({ sql, log, metrics, client, connection: asserting, schedules, paused: options.paused })
  report({ ready: true })
  if (!supervised()) log.info('The worker runs checks and deliveries.')
  try {
    await Promise.race([stop, failure(running), watch.failed])
  } finally {
    state.working = false
    await Promise.all([watch[Symbol.asyncDispose](), finish(workers, running)])
  }
}

async function openWhenPrepared({ config, log }: RoleContext, metrics?: Metrics): Promise<OpenContext> {
  const target = externalTemporal()
  const temporal = { ...config.temporal, namespace: target.namespace }
  const secretKey = Buffer.from(config.secretKey!, 'base64')
  const given = { config: { ...config, temporal }, log, secretKey, metrics }
  const ctx = await openContext(given, config.databaseUrl!, target)
  const reason = await unpreparedReason(ctx.sql).catch((error: Error) => error.message)
  if (reason === undefined) return ctx
  await ctx[Symbol.asyncDispose]()
  throw new OperatorError(reason)
}

/** Returns that another installation has the namespace: that does not change by waiting. */
async function prepare(
  ctx: OpenContext,
  { only, paused }: WorkerOptions,
): Promise<ScheduleSettings | OtherInstallation> {
  try {
    return await ctx.connection.withDeadline(Date.now() + PREPARE_WITHIN_MS, async () => {
      const settings = await prepareTemporal({ ...ctx, checkIntervalMs: ctx.config.checkIntervalMs }, paused)
      if (only) await endOrphanedRuns(ctx.temporal)
      return settings
    })
  } catch (error) {
    if (error instanceof OtherInstallation) return error
    throw error
  }
}

/** Rejects when the workers end by themselves. */
const failure = (running: Promise<void>): Promise<never> =>
  running.then(
    () => new Promise<never>(() => {}),
    (cause) => {
      throw new OperatorError(`The workers ended by themselves: ${(cause as Error).message}`, { cause })
    },
  )

async function finish(workers: Workers, running: Promise<void>): Promise<void> {
  workers.shutdown()
  await Promise.race([running.catch(() => {}), sleep(FINISH_WITHIN_MS, undefined, { ref: false })])
}
