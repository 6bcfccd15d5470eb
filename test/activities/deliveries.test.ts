import { ActivityCancellationDetails } from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { fanOutActivities } from '../../activities/fan-out.ts'
import { HOUR, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'
import { createDeliveryWorkflows, type DeliveryWorkflows } from '../../src/webhooks/rounds/delivery-workflows.ts'
import type { ClaimedDelivery } from '../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../support/database.ts'
import { testReceiver } from '../support/servers/receiver.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook, testContext } from '../support/webhooks/deliveries.ts'

const NOW = instantOf(Date.now())
const ONE_AT_ONCE = { PRICETAPE_MAX_IN_FLIGHT: '1' }
const { post } = createSafeFetch({ allowPrivate: true })

const db = testDatabase({ each: true })
const temporal = localTemporal()
const receiver = testReceiver()

/** The activities, as a worker has them, with another way to the workflows where a test has one. */
function activities(workflows = {} as DeliveryWorkflows, env: Record<string, string> = {}) {
  const ctx = testContext(db.sql, undefined as never, env)
  const tools = { post, workflows, record: createWorkRecorder(ctx) }
  return { ...deliveryActivities(ctx, tools), ...fanOutActivities(ctx, tools) }
}
const due = async (path: string, count: number) => {
  const hook = await addWebhook(db.sql, { url: `${receiver.url}/${path}`, at: plus(NOW, -HOUR) })
  return { hook, ids: await addDeliveries(db.sql, hook, { count, at: plus(NOW, -HOUR) }) }
}
const ROUND = { roundId: 'round', now: NOW, stopAt: plus(NOW, 200_000) }

/** Makes the attempts of a round where workflows would make them. Returns what was asked for, in order. */
function attempting() {
  const asked: string[] = []
  const grant = async ({ deliveryId, webhookId, grant }: ClaimedDelivery) => {
    asked.push(webhookId)
    await activities().attempt({ deliveryId, ...grant, now: NOW })
    return { here: false }
  }
  return { asked, workflows: { grant } as unknown as DeliveryWorkflows }
}

it('notifies the workflow of a webhook that its fifth failure paused', async () => {
  receiver.answer({ status: 500 })
  const { hook, ids } = await due('dead', 1)
  await db.sql`
    update webhook set failures_in_row = 4, first_failure_at = ${plus(NOW, -25 * HOUR)} where webhook_id = ${hook.id}`
  const workflows = createDeliveryWorkflows(temporal.client, {
    checks: temporal.taskQueue,
    deliveries: temporal.taskQueue,
  })
  await activities(workflows).attempt({ deliveryId: ids[0]!, cycle: 1, number: 1, run: 1, now: NOW })
  const handle = temporal.client.workflow.getHandle(`webhook/${hook.id}`)
  const { events } = await handle.fetchHistory()
  await handle.terminate()
  const signals = events?.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName).filter(Boolean)
  expect(signals).toEqual(['pause'])
})

it('goes on with a round after a crash: what it had started counts', async () => {
  receiver.answer({ status: 200 })
  const [first, second] = [await due('first', 3), await due('second', 2)]
  await db.sql`update delivery set round_id = 'round' where delivery_id in ${db.sql(first.ids.slice(0, 2))}`
  const { asked, workflows } = attempting()
  const again = new MockActivityEnvironment({ attempt: 2 })
  const heartbeats: unknown[] = []
  again.on('heartbeat', (report) => heartbeats.push(report))
  await again.run(activities(workflows, ONE_AT_ONCE).deliverDue, ROUND)
  expect(asked).toEqual([second.hook.id, second.hook.id, first.hook.id])
  // At once, and then every two seconds.
  expect(heartbeats).toEqual([expect.objectContaining({ started: expect.any(Number) })])
})

it('leaves the rest of a round to another worker where its own stops, unless the round was over or is cancelled', async () => {
  await due('left', 1)
  const ended = async (reason: string, details: object, input = ROUND) => {
    const stopping = new MockActivityEnvironment()
    stopping.cancel(reason as 'WORKER_SHUTDOWN', new ActivityCancellationDetails(details))
    return stopping
      .run(activities(attempting().workflows).deliverDue, input)
      .catch(({ name, message }: Error) => ({ name, message }))
  }
  const stopped = { name: 'Error', message: 'The worker stops before the round is over: another one goes on with it.' }
  expect(await ended('WORKER_SHUTDOWN', { workerShutdown: true })).toEqual(stopped)
  expect(await ended('WORKER_SHUTDOWN', { workerShutdown: true }, { ...ROUND, stopAt: NOW })).toMatchObject({
    started: 0,
  })
  expect(await ended('CANCELLED', { cancelRequested: true })).toMatchObject({ started: 0 })
})

it('gives a round that is tried again no more time than it had', async () => {
  receiver.answer({ status: 200 })
  await due('late', 1)
  const { asked, workflows } = attempting()
  const times = { scheduledTimestampMs: 1_000, currentAttemptScheduledTimestampMs: 1_000 + 200_000 }
  const late = new MockActivityEnvironment({ attempt: 2, ...times })
  expect(await late.run(activities(workflows).deliverDue, ROUND)).toMatchObject({ started: 0 })
  expect(asked).toEqual([])
})

it('matches every event of a check, in as many batches as it takes', async () => {
  await addWebhook(db.sql, { url: receiver.url, at: plus(NOW, -HOUR) })
  await db.sql`
    insert into event (seq, event_id, type, eligible_at, body)
    select seq, 'evt_' || seq, 'price.changed', ${plus(NOW, -HOUR)}, '{}' from generate_series(1, 2001) seq`
  const heartbeats: unknown[] = []
  const environment = new MockActivityEnvironment()
  environment.on('heartbeat', (done) => heartbeats.push({ ...done }))
  const matched = await environment.run(activities().fanOut, { now: NOW })
  expect(matched).toEqual({ events: 2_001, deliveries: 0 })
  expect(heartbeats[0]).toEqual({ events: 1_000, deliveries: 0 })
  expect(heartbeats.at(-1)).toEqual(matched)
})

it('ends matching when its time is up, says that something is left, and goes on there in the next call', async () => {
  await addWebhook(db.sql, { url: receiver.url, at: plus(NOW, -HOUR) })
  await db.sql`
    insert into event (seq, event_id, type, eligible_at, body)
    select seq, 'evt_' || seq, 'price.changed', ${plus(NOW, -HOUR)}, '{}' from generate_series(5001, 7001) seq`
  const match = (budgetMs: number) => new MockActivityEnvironment().run(activities().fanOut, { now: NOW, budgetMs })
  expect(await match(0)).toEqual({ events: 1_000, deliveries: 0, left: true })
  expect(await match(60_000)).toEqual({ events: 1_001, deliveries: 0 })
})
