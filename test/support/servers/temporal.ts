import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Client } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import { afterAll, beforeAll } from 'vitest'
import type { Child } from '../../../src/embedded/process/child.ts'
import { lazyConnection } from '../../../src/temporal/connect.ts'
import { UNHURRIED } from '../../../src/temporal/unhurried.ts'
import { shared } from '../shared.ts'
import { startTimeSkipping } from './time-skipping.ts'

/**
 * A Temporal server that skips time, of this test file's own: a wait of days takes milliseconds while a result is
 * awaited (`handle.result()`), or by `env.sleep`. It has no Schedules and no lists. Let every workflow end before its
 * test does, and never terminate one while an activity runs: either stops time for the tests after it.
 */
export function timeSkipping() {
  return environment(startTimeSkipping)
}

/** The suite's one real Temporal dev server: Schedules, lists and search attributes work, and time is real. */
export function localTemporal() {
  return environment(async () => ({ env: await onServer(await shared('/temporal')) }))
}

/** Its client is ours: a call that a test leaves behind would otherwise throw from a timer when the connection is closed. */
async function onServer(address: string): Promise<TestWorkflowEnvironment> {
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address })
  await env.connection.close()
  const connection = lazyConnection({ connection: { address } })
  return Object.assign(env, { connection, client: new Client({ connection }) })
}

type StartedTemporal = { env: TestWorkflowEnvironment; server?: Child; folder?: string }

function environment(start: () => Promise<StartedTemporal>) {
  let started: StartedTemporal | undefined
  const temporal = {
    get env(): TestWorkflowEnvironment {
      if (!started) throw new Error('temporal is there inside tests, not while they are declared')
      return started.env
    },
    get client() {
      return temporal.env.client
    },
    /** For this test file alone, so that files never take each other's work. */
    taskQueue: `test-${randomBytes(6).toString('hex')}`,
    /** The bundled workflows of workflows/index.ts. */
    workflowBundle: async () => ({ codePath: await shared('/bundle') }),
    /** A worker for the bundled workflows and these activities; use it with `worker.runUntil(…)`. */
    worker: async (options: Partial<WorkerOptions> = {}): Promise<Worker> =>
      Worker.create({
        connection: temporal.env.nativeConnection,
        namespace: temporal.env.namespace ?? 'default',
        taskQueue: temporal.taskQueue,
        ...(!options.workflowsPath && { workflowBundle: await temporal.workflowBundle() }),
        maxConcurrentActivityTaskExecutions: 20,
        ...UNHURRIED,
        ...options,
      }),
  }
  beforeAll(async () => {
    if (!runtimeInstalled) Runtime.install({ logger: quiet, shutdownSignals: [] })
    runtimeInstalled = true
    started = await start()
  })
  afterAll(async () => {
    await started?.env.teardown()
    await started?.server?.stop()
    if (started?.folder) await rm(started.folder, { recursive: true, force: true })
  })
  return temporal
}

let runtimeInstalled = false
const ignore = () => {}
const quiet = {
  log: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (message: string, meta?: object) => console.error(message, meta ?? ''),
}
