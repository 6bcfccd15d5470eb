import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { epochMs, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import { deleteWebhook } from '../../../src/webhooks/manage/delete-webhook.ts'
import { createDeliveryWorkflows, type DeliveryWorkflows } from '../../../src/webhooks/rounds/delivery-workflows.ts'
import type { WebhookRef } from '../../../src/webhooks/schema.ts'
import { deliveryWorkflowId, webhookWorkflowId } from '../../../src/webhooks/workflow-schema.ts'
import { buildWorkers, type Workers } from '../../../src/worker.ts'
import type { CheckReport } from '../../../workflows/check-report.ts'
import type { testDatabase } from '../database.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import type { timeSkipping } from '../servers/temporal.ts'
import { testContext } from './deliveries.ts'

/** More than an attempt may take. */
const TIMER_BEHIND_MS = 7_000
/** Ends only a wait for what never comes: on a loaded machine a step takes many times as long as at rest. */
const EVENTUALLY_MS = 90_000

/**
 * The product's workers on a test's Temporal server and database, with a receiver. Time stops between `until`
 * calls on the time-skipping server, so that instants can be asserted exactly.
 */
export function deliverySystem(
  db: ReturnType<typeof testDatabase>,
  temporal: ReturnType<typeof timeSkipping>,
  env: Record<string, string> = {},
) {
  const queues = { checks: `${temporal.taskQueue}-checks`, deliveries: `${temporal.taskQueue}-deliveries` }
  let workers: Workers
  let running: Promise<void>
  const system = {
    queues,
    client: undefined as unknown as Client,
    workflows: undefined as unknown as DeliveryWorkflows,
    receiver: undefined as unknown as Receiver,

    async start() {
      const ctx = testContext(db.sql, system.client, env)
      const bundle = await temporal.workflowBundle()
      workers = await buildWorkers(ctx, temporal.env.nativeConnection, { bundle, queues })
      running = workers.run()
    },
    async stop() {
      workers.shutdown()
      await running
    },

    /** The server's time. */
    now: async (): Promise<Instant> => instantOf(await temporal.env.currentTimeMs()),
    /** Lets time pass until an instant. */
    async until(at: Instant) {
      await temporal.env.sleep(Math.max(0, epochMs(at) - (await temporal.env.currentTimeMs())))
    },
    /**
     * Lets time pass until a retry is due and its workflow's timer has fired: it was set when the attempt was over, by
     * the clock of when it began. The test server fails a workflow task that cancels a timer just fired.
     */
    untilDue: (dueAt: Instant) => system.until(plus(dueAt, TIMER_BEHIND_MS)),
    /** Runs one check and waits for it without letting time skip. */
    async check(): Promise<CheckReport> {
      const handle = await system.client.workflow.start('check', {
        taskQueue: queues.checks,
        workflowId: `check/${randomUUID()}`,
      })
      return handle.result()
    },
    /** What an operator sees of a delivery's workflow. */
    async shown(deliveryId: string) {
      const handle = system.client.workflow.getHandle(deliveryWorkflowId({ deliveryId, eventType: 'price.changed' }))
      const { status, searchAttributes } = await handle.describe()
      return { status: status.name, deliveryStatus: searchAttributes.DeliveryStatus?.[0] }
    },
    async result(deliveryId: string): Promise<unknown> {
      return system.client.workflow.getHandle(deliveryWorkflowId({ deliveryId, eventType: 'price.changed' })).result()
    },
    /** Retries an expectation until what runs beside the test has met it. */
    eventually: <T>(expectation: () => Promise<T>): Promise<T> =>
      vi.waitFor(expectation, { timeout: EVENTUALLY_MS, interval: 50 }),
  }
  beforeAll(async () => {
    system.client = new Client({ connection: temporal.env.connection, namespace: temporal.env.namespace ?? 'default' })
    system.workflows = createDeliveryWorkflows(system.client, queues)
    system.receiver = await startReceiver()
    await system.start()
  })
  // No delivery waits beside those of the next test, and no workflow: both end as when an operator deletes the webhook.
  afterEach(async () => {
    const hooks = await db.sql<WebhookRef[]>`select workspace_id as "workspaceId", webhook_id as id from webhook`
    for (const hook of hooks) {
      await deleteWebhook({ sql: db.sql, workflows: system.workflows, now: await system.now() }, hook)
      await system.client.workflow.getHandle(webhookWorkflowId(hook.id)).result()
    }
  })
  afterAll(async () => {
    await system.stop()
    await system.receiver.close()
  })
  return system
}
