import { Client } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import { createActivities } from '../activities/index.ts'
import type { Context } from './context.ts'
import { BUNDLED } from './temporal/bundle.ts'
import type { TemporalAccess } from './temporal/connect.ts'
import { UNHURRIED } from './temporal/unhurried.ts'
import { QUEUES, type Queues } from './webhooks/rounds/delivery-workflows.ts'
import { collectingQueue, sourcesQueue } from './webhooks/workflow-schema.ts'

/** More than an attempt's five seconds and its record: a stop breaks no attempt off. */
const SHUTDOWN_GRACE = '6s'
/**
 * How often an activity's heartbeat reaches the server at most. The SDK's own interval, 0.8 of the timeout, leaves no time
 * for the answer: that of 16 shards beside a thousand deliveries took up to seven seconds.
 */
export const HEARTBEAT_EVERY_MS = 5_000
/** One attempt holds a workflow task while it is made, so there are more than the round's 64. */
const DELIVERY_TASKS = 160
const CACHED_WORKFLOWS = 1_000
/** Parts of checks that run at once, beside the shards of a round: one process may run all of them. */
const PARTS_OF_CHECKS = 10
/** Slow sources that are collected at once; others wait for their turn. */
const SLOW_SOURCES = 4
/** Shards of due sources that a process collects at once: a source whose reader died is read with nothing beside it. */
const SOURCE_SHARDS = 1

/** Workers of one process: `run` until `shutdown` is called or one fails. */
export type Workers = { run: () => Promise<void>; shutdown: () => void }

/**
 * The workers of a process: one for checks and rounds, two for slow and for many sources, one for deliveries, so that none starves
 * another. Run more processes for more throughput. Rounds start workflows through the worker's own connection, which
 * lets the server hand the first task straight back.
 * @param options.bundle workflows bundled before; else they are bundled now, in about a second
 */
export async function buildWorkers(
  ctx: Context,
  connection: NativeConnection,
  options: { bundle?: WorkerOptions['workflowBundle']; queues?: Queues } = {},
): Promise<Workers> {
  const { namespace } = ctx.temporal.options
  const queues = options.queues ?? QUEUES
  const temporal = new Client({ connection, namespace })
  const activities = createActivities({ ...ctx, temporal }, queues)
  const shared: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace,
    activities,
    shutdownGraceTime: SHUTDOWN_GRACE,
    maxHeartbeatThrottleInterval: HEARTBEAT_EVERY_MS,
  }
  const workflowBundle = options.bundle ?? (await bundleWorkflowCode(BUNDLED))
  const withWorkflows = { ...shared, workflowBundle, ...UNHURRIED }
  const workers = await Promise.all([
    Worker.create({
      ...withWorkflows,
      taskQueue: queues.checks,
      maxConcurrentActivityTaskExecutions: PARTS_OF_CHECKS + ctx.config.roundShards,
      maxCachedWorkflows: 50,
    }),
    Worker.create({
      ...shared,
      taskQueue: collectingQueue(queues.checks),
      maxConcurrentActivityTaskExecutions: SLOW_SOURCES,
    }),
    Worker.create({
      ...shared,
      taskQueue: sourcesQueue(queues.checks),
      maxConcurrentActivityTaskExecutions: SOURCE_SHARDS,
    }),
    Worker.create({
      ...withWorkflows,
      taskQueue: queues.deliveries,
      enableNonLocalActivities: false,
      maxConcurrentWorkflowTaskExecutions: DELIVERY_TASKS,
      maxConcurrentLocalActivityExecutions: DELIVERY_TASKS,
      maxCachedWorkflows: CACHED_WORKFLOWS,
    }),
  ])
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  return {
    shutdown,
    async run() {
      // When one fails, the others would go on half alive: all stop, and the fault is the caller's to report.
      const runs = workers.map((worker) => worker.run().finally(shutdown))
      const ended = await Promise.allSettled(runs)
      const fault = ended.find((end) => end.status === 'rejected')
      if (fault) throw fault.reason
    },
  }
}

/** The connection that workers poll on: the SDK's native one. Import this file only where workers run. */
export const openPollingConnection = ({ connection }: TemporalAccess): Promise<NativeConnection> =>
  NativeConnection.connect(connection)
