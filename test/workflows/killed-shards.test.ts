import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { instantOf } from '../../src/lib/instant.ts'
import type { CheckReport } from '../../workflows/check-report.ts'
import { testDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { shared } from '../support/shared.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import type { WorkerSettings } from './worker-process.ts'

const IN_FLIGHT = 4
const WORKSPACES = 8
const EACH = 5
const ALL = WORKSPACES * EACH

const db = testDatabase({ each: true })
const temporal = localTemporal()
let receiver: Receiver
const children: ChildProcess[] = []
beforeAll(async () => {
  receiver = await startReceiver({ answer: { status: 200, delayMs: 30 } })
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  receiver.requests.length = 0
})
afterAll(() => receiver.close())

async function startWorker(queues: WorkerSettings['queues'], deadly?: WorkerSettings['deadly']) {
  const { codePath } = await temporal.workflowBundle()
  const settings: WorkerSettings = {
    databaseUrl: db.url,
    address: await shared('/temporal'),
    bundle: codePath,
    queues,
    env: { PRICETAPE_MAX_IN_FLIGHT: String(IN_FLIGHT), PRICETAPE_ROUND_SHARDS: '4' },
    ...(deadly && { deadly }),
  }
  const child = fork(join(import.meta.dirname, 'worker-process.ts'), [JSON.stringify(settings)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  children.push(child)
  await once(child, 'message')
  return child
}

/** What a check says where the worker was killed while it collected. */
const CUT_OFF = 'Collecting due sources failed: activity Heartbeat timeout'
/** Statements by what only they say. */
const LOOK = 'with recursive look'
const LOAD = 'with recursive waiting'
const CLAIM = 'started_cycle = d.cycle'
const OPEN = 'insert into attempt'
const RECORD = 'with streak as materialized'

it.each<[string, NonNullable<WorkerSettings['deadly']>, number]>([
  ['before it knows which shards have something due', { statement: LOOK, nth: 1, when: 'before' }, 0],
  ['before it has loaded a shard', { statement: LOAD, nth: 1, when: 'before' }, 0],
  ['after it has loaded a shard', { statement: LOAD, nth: 1, when: 'after' }, 0],
  ['before a claim, in the middle', { statement: CLAIM, nth: 4, when: 'before' }, IN_FLIGHT],
  ['after a claim, before its workflows are started', { statement: CLAIM, nth: 3, when: 'after' }, IN_FLIGHT],
  ['before an attempt is opened', { statement: OPEN, nth: 6, when: 'before' }, IN_FLIGHT],
  ['between opening an attempt and its POST', { statement: OPEN, nth: 6, when: 'after' }, IN_FLIGHT],
  ['after a POST, before its outcome is recorded', { statement: RECORD, nth: 6, when: 'before' }, IN_FLIGHT],
  ['after an outcome, before its workflow knows it', { statement: RECORD, nth: 6, when: 'after' }, IN_FLIGHT],
  ['when all is sent, before the shards report', { statement: RECORD, nth: ALL, when: 'after' }, IN_FLIGHT],
])(
  'a worker that is killed %s costs nothing but its open attempts',
  async (_step, deadly, open) => {
    const id = randomUUID()
    const queues = { checks: `checks-${id}`, deliveries: `deliveries-${id}` }
    const client = new Client({ connection: temporal.env.connection })
    const at = instantOf(Date.now() - 1_000)
    for (let n = 0; n < WORKSPACES; n++) {
      const hook = await addWebhook(db.sql, { url: receiver.url, at })
      await addDeliveries(db.sql, hook, { count: EACH, at })
    }
    const check = () =>
      client.workflow.start('check', { taskQueue: queues.checks, workflowId: `check/${randomUUID()}` })

    const first = await startWorker(queues, deadly)
    const checking = await check()
    await once(first, 'exit')
    expect(first.signalCode).toBe('SIGKILL')
    await startWorker(queues)
    const report: CheckReport = await checking.result()
    // Where the worker was still collecting, the next check does.
    expect(report.problems.filter((problem) => problem !== CUT_OFF)).toEqual([])

    const [left] = await db.sql`
    select count(*) filter (where status = 'succeeded')::int as succeeded,
           count(*) filter (where claimed_at is not null)::int as claimed,
           (select count(*)::int from attempt where outcome = 'unknown' or outcome is null) as open
    from delivery`
    // The round went on in this check with all that was not under way.
    expect(left!.succeeded).toBeGreaterThanOrEqual(ALL - open)
    expect(left!.claimed + left!.open).toBeLessThanOrEqual(2 * open)

    // Minutes later: claims that no one holds are given back, and attempts without an outcome are due again.
    await db.sql`update delivery set claimed_at = claimed_at - interval '10 minutes' where claimed_at is not null`
    await db.sql`update attempt set started_at = started_at - interval '10 minutes' where outcome is null`
    expect((await (await check()).result()).problems).toEqual([])
    await db.sql`update delivery set due_at = ${at} where status = 'pending'`
    await (await check()).result()

    const [row] = await db.sql`
    select count(*) filter (where status = 'succeeded')::int as succeeded, max(attempts)::int as attempts from delivery`
    expect(row!.succeeded).toBe(ALL)
    expect(row!.attempts).toBeLessThanOrEqual(2)
    const events = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect(new Set(events).size).toBe(ALL)
    expect(events.length - ALL).toBeLessThanOrEqual(open)
  },
  120_000,
)

it('two workers share the shards of a round, and each delivery is sent once', async () => {
  const id = randomUUID()
  const queues = { checks: `checks-${id}`, deliveries: `deliveries-${id}` }
  const client = new Client({ connection: temporal.env.connection })
  const at = instantOf(Date.now() - 1_000)
  for (let n = 0; n < 24; n++) {
    const hook = await addWebhook(db.sql, { url: receiver.url, at })
    await addDeliveries(db.sql, hook, { count: 8, at })
  }
  await Promise.all([startWorker(queues), startWorker(queues)])
  const workflowId = `check/${id}`
  const report: CheckReport = await client.workflow.execute('check', { taskQueue: queues.checks, workflowId })
  expect(report.delivered).toMatchObject({ started: 192, succeeded: 192, failed: 0, unclear: 0 })
  expect(receiver.requests).toHaveLength(192)
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory()
  const workers = new Set(events!.flatMap(({ activityTaskStartedEventAttributes: started }) => started?.identity ?? []))
  expect(workers.size).toBe(2)
}, 60_000)
