import { setTimeout as sleep } from 'node:timers/promises'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { fanOutActivities } from '../../activities/fan-out.ts'
import { webhookActivities } from '../../activities/webhook.ts'
import { HOUR, instantOf, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'
import type { DeliveryWorkflows } from '../../src/webhooks/rounds/delivery-workflows.ts'
import type { ClaimedDelivery } from '../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook, testContext } from '../support/webhooks/deliveries.ts'

const NOW = instantOf(Date.now())
const ROUND = { roundId: 'round', now: NOW, stopAt: plus(NOW, 200_000) }
const FIRST = { cycle: 1, number: 1, run: 1 }
const { post } = createSafeFetch({ allowPrivate: true })

const db = testDatabase({ each: true })
const temporal = localTemporal()
let receiver: Receiver
let lines: Record<string, unknown>[] = []
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(() => {
  lines = []
  receiver.answer({ status: 200 })
})
afterEach(() => void vi.useRealTimers())
afterAll(() => receiver.close())

function activities(workflows: Partial<DeliveryWorkflows> = {}, env: Record<string, string> = {}) {
  const log = createLog('info', 'json', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const ctx = { ...testContext(db.sql, temporal.client, env), log }
  const tools = { post, workflows: workflows as DeliveryWorkflows, record: createWorkRecorder(ctx) }
  return { ...deliveryActivities(ctx, tools), ...webhookActivities(ctx, tools), ...fanOutActivities(ctx, tools) }
}
type TestActivities = ReturnType<typeof activities>
const due = async (count: number, url = receiver.url) => {
  const hook = await addWebhook(db.sql, { url, at: plus(NOW, -HOUR) })
  return { hook, ids: await addDeliveries(db.sql, hook, { count, at: plus(NOW, -HOUR) }) }
}
const run = <I, O>(work: (input: I) => Promise<O>, input: I, environment = new MockActivityEnvironment()) =>
  environment.run(work, input)
const said = (message: string) => lines.filter(({ msg }) => msg === message)
/** Activities whose grants make the attempt where the workflow would, and what `then` does before the round knows. */
function rounds(env: Record<string, string> = {}, here = false, then = async (_deliveryId: string) => {}) {
  let open = 0
  const seen = { most: 0, webhooks: [] as string[] }
  const made: TestActivities = activities(
    {
      grant: async ({ deliveryId, webhookId, grant }: ClaimedDelivery) => {
        seen.webhooks.push(webhookId)
        seen.most = Math.max(seen.most, ++open)
        await made.attempt({ deliveryId, ...grant, now: NOW })
        await then(deliveryId)
        open--
        return { here }
      },
    },
    env,
  )
  return { ...made, seen }
}

it('says which shards have something due, of as many as are set or as the round began with, and beats every two seconds', async () => {
  await due(1)
  const { dueShards } = activities({}, { PRICETAPE_ROUND_SHARDS: '8' })
  expect(await run(dueShards, { now: NOW })).toEqual({ shards: [expect.any(Number)], of: 8 })
  expect(await run(dueShards, { now: NOW, of: 1 })).toEqual({ shards: [0], of: 1 })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const timers = vi.getTimerCount()
  const environment = new MockActivityEnvironment()
  const beats: unknown[] = []
  environment.on('heartbeat', (beat) => beats.push(beat))
  const other = await db.sql.reserve()
  await other`begin`
  await other`lock table delivery in access exclusive mode`
  const looking = run(dueShards, { now: NOW }, environment)
  // Not `expect.poll`, which lets the time of these timers pass.
  while (vi.getTimerCount() === timers) await sleep(5)
  vi.advanceTimersByTime(1_999)
  expect(beats).toHaveLength(0)
  vi.advanceTimersByTime(1)
  expect(beats).toHaveLength(1)
  await other`commit`
  other.release()
  await looking
  expect(vi.getTimerCount()).toBe(timers)
})

it('runs the shard it is asked for, notes what that did, and counts what was started only when it goes on', async () => {
  const { hook, ids } = await due(2)
  await db.sql`
    update delivery set round_id = 'round', status = 'succeeded', due_at = null, finished_at = ${NOW}, last_attempt_at = ${NOW}
    where delivery_id = ${ids[0]!}`
  const { deliverDue, seen } = rounds()
  const [row] = await db.sql`select (uuid_hash(${hook.workspaceId}::uuid) & 255) % 4 as shard`
  const other = { shard: (row!.shard + 1) % 4, of: 4 }
  expect(await run(deliverDue, { ...ROUND, shard: other })).toMatchObject({ started: 0 })
  expect(said('shard of a round ended')).toEqual([])
  const shard = { shard: row!.shard, of: 4 }
  expect(await run(deliverDue, { ...ROUND, shard })).toMatchObject({ started: 1, succeeded: 1 })
  expect(seen.webhooks).toEqual([hook.id])
  expect(said('shard of a round ended')).toMatchObject([{ roundId: 'round', ...shard, started: 1, succeeded: 1 }])
})

it.each([
  ['a first try', 1, undefined, false],
  ['a second try', 2, undefined, true],
  ['a shard that was over before in this round', 1, true as const, true],
])('begins %s with what the round had started, or without', async (_what, attempt, again, counts) => {
  const [first, second] = [await due(3), await due(2)]
  await db.sql`update delivery set round_id = 'round' where delivery_id in ${db.sql(first.ids.slice(0, 2))}`
  const { deliverDue, seen } = rounds({ PRICETAPE_MAX_IN_FLIGHT: '1' })
  // It began half a second later than its first try.
  const times = { scheduledTimestampMs: 1e9, currentAttemptScheduledTimestampMs: 1e9 + 500 }
  await run(deliverDue, { ...ROUND, ...(again && { again }) }, new MockActivityEnvironment({ attempt, ...times }))
  expect(seen.webhooks).toHaveLength(3)
  expect(seen.webhooks.slice(0, 2).every((id) => id === second.hook.id)).toBe(counts)
})

it('has no more in flight than is set, to one endpoint and in all', async () => {
  for (const [all, each, most] of [
    ['4', '1', 1],
    ['4', '2', 2],
    ['1', '2', 1],
  ] as const) {
    await due(3)
    const limits = { PRICETAPE_MAX_IN_FLIGHT: all, PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT: each }
    const { deliverDue, seen } = rounds(limits)
    expect(await run(deliverDue, { ...ROUND, roundId: `${all}-${each}` })).toMatchObject({ started: 3, succeeded: 3 })
    expect(seen.most).toBe(most)
  }
})

it('knows from an attempt made in its own process how that ended, without a look at its row', async () => {
  await due(1)
  const { deliverDue } = rounds(
    {},
    true,
    async (id) => void (await db.sql`delete from delivery where delivery_id = ${id}`),
  )
  expect(await run(deliverDue, ROUND)).toMatchObject({ started: 1, succeeded: 1, unclear: 0 })
})

it('notes each attempt that was made, and a pause by failures, and nothing of one that was made before', async () => {
  const { hook, ids } = await due(2)
  const changes: unknown[] = []
  const { attempt } = activities({ notifyWebhook: async (of, change) => void changes.push([of.id, change]) })
  const first = { deliveryId: ids[0]!, ...FIRST, now: NOW }
  expect(await attempt(first)).toMatchObject({ status: 'succeeded', attempts: 1 })
  const line = { deliveryId: ids[0], webhookId: hook.id, cycle: 1, number: 1, result: 'succeeded', status: 200 }
  expect(said('attempt succeeded')).toMatchObject([line])
  expect(await attempt(first)).toMatchObject({ status: 'succeeded' })
  expect(lines).toHaveLength(1)
  receiver.answer({ status: 500 })
  await db.sql`
    update webhook set failures_in_row = 4, first_failure_at = ${plus(NOW, -25 * HOUR)} where webhook_id = ${hook.id}`
  expect(await attempt({ ...first, deliveryId: ids[1]! })).toMatchObject({ status: 'pending', paused: true })
  expect(said('attempt failed')).toHaveLength(1)
  expect(said('webhook paused')).toMatchObject([{ webhookId: hook.id, by: 'failures' }])
  expect(changes).toEqual([[hook.id, 'pause']])
})

it('repairs what a crash left behind, notes lost attempts, and knows a Temporal store that is another one', async () => {
  const { ids } = await due(1)
  await db.sql`
    update delivery set started_cycle = 1, claimed_at = ${plus(NOW, -HOUR)}, round_id = 'r' where delivery_id = ${ids[0]!}`
  await db.sql`
    insert into attempt (delivery_id, cycle, number, run, started_at) values (${ids[0]!}, 1, 1, 1, ${plus(NOW, -HOUR)})`
  const { reconcile } = activities({ start: async () => {}, changed: async () => {} })
  const environment = new MockActivityEnvironment()
  const beats: unknown[] = []
  environment.on('heartbeat', (beat) => beats.push(beat))
  expect(await run(reconcile, { now: NOW }, environment)).toMatchObject({ storeLost: false, unknown: 1 })
  expect(beats.length).toBeGreaterThan(0)
  expect(said('attempts were left without an outcome')).toMatchObject([{ count: 1 }])
  expect(await run(reconcile, { now: NOW })).toMatchObject({ storeLost: false, unknown: 0 })
  const { namespaceInfo } = await temporal.env.connection.workflowService.describeNamespace({ namespace: 'default' })
  expect(await db.sql`select namespace_id as id from temporal_store`).toEqual([{ id: namespaceInfo!.id }])
  await db.sql`update temporal_store set namespace_id = 'another'`
  expect(await run(reconcile, { now: NOW })).toMatchObject({ storeLost: true })
})

it('passes on the notices of one webhook, and beats meanwhile', async () => {
  const [first, second] = [await due(2), await due(1)]
  await db.sql`
    insert into delivery_notice (delivery_id, webhook_id, what, created_at, event_type)
    select delivery_id, webhook_id, 'the webhook was paused', ${NOW}, 'price.changed' from delivery`
  const notified: string[] = []
  const { passOn } = activities({ changed: async ({ deliveryId }) => void notified.push(deliveryId) })
  const environment = new MockActivityEnvironment()
  const beats: unknown[] = []
  environment.on('heartbeat', (beat) => beats.push(beat))
  expect(await run(passOn, first.hook.id, environment)).toBe(2)
  expect(notified.sort()).toEqual(first.ids.sort())
  expect(beats).toHaveLength(1)
  expect(await db.sql`select delivery_id as id from delivery_notice`).toEqual([{ id: second.ids[0] }])
})

it('matches more at once where that is quick', async () => {
  await addWebhook(db.sql, { url: receiver.url, at: plus(NOW, -HOUR) })
  // With the first, a hundred that want nothing.
  await db.sql`
    insert into webhook (webhook_id, workspace_id, name, url, created_at, updated_at)
    select gen_random_uuid(), workspace_id, name, url, created_at, updated_at from webhook, generate_series(1, 99)`
  await db.sql`
    insert into event (seq, event_id, type, eligible_at, body)
    select seq, 'evt_' || seq, 'price.changed', ${plus(NOW, -HOUR)}, '{}' from generate_series(9001, 9751) seq`
  // The clock of this process stands still: each part takes no time.
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(10_000)
  const environment = new MockActivityEnvironment()
  const beats: number[] = []
  environment.on('heartbeat', ({ events }) => beats.push(events))
  expect(await run(activities().fanOut, { now: NOW }, environment)).toEqual({ events: 751, deliveries: 0 })
  expect(beats).toEqual([250, 750, 751])
})

it('notes what was matched, and nothing where there is nothing', async () => {
  await addWebhook(db.sql, { url: receiver.url, at: plus(NOW, -HOUR) })
  await db.sql`
    insert into event (seq, event_id, type, eligible_at, body)
    select seq, 'evt_' || seq, 'price.changed', ${plus(NOW, -HOUR)}, '{}' from generate_series(9001, 10002) seq`
  const { fanOut } = activities()
  expect(await run(fanOut, { now: NOW })).toEqual({ events: 1_002, deliveries: 0 })
  const matched = said('events published').map(({ events }) => events as number)
  expect(matched.reduce((sum, events) => sum + events, 0)).toBe(1_002)
  expect(await run(fanOut, { now: NOW, budgetMs: 0 })).toEqual({ events: 0, deliveries: 0 })
  expect(said('events published')).toHaveLength(matched.length)
})
