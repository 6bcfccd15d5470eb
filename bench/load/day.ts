/**
 * Two days of virtual time: the whole retry schedule of dead receivers, and what the specification says of its end.
 * usage: node --import tsx bench/load/day.ts [hours]
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Client } from '@temporalio/client'
import { Runtime } from '@temporalio/worker'
import { say } from '../../ops/run.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { recordEvents } from '../../src/events/store.ts'
import { epochMs, HOUR, type Instant, instantOf, MINUTE, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { connect } from '../../src/lib/sql.ts'
import { runtimeOptions } from '../../src/temporal/log.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { createDeliveryWorkflows } from '../../src/webhooks/rounds/delivery-workflows.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { buildWorkers } from '../../src/worker.ts'
import { startTestPostgres, TEMPLATE } from '../../test/support/servers/postgres.ts'
import { startReceiver } from '../../test/support/servers/receiver.ts'
import { startTimeSkipping } from '../../test/support/servers/time-skipping.ts'
import { TEST_KEY, testContext } from '../../test/support/webhooks/deliveries.ts'
import { type Ends, endsOf, lateRetries } from './day-ends.ts'

const CHECK_MS = 5 * MINUTE
/** Changes again and again for some webhooks, and a single one at the beginning for the others. */
const STREAM = 'price.changed' as const
const ONCE = 'resource.removed' as const
const STREAMED = ['well', 'well', 'well', 'well', 'well', 'well', 'error', 'refuses'] as const
const RECOVERING = ['recovers/2', 'recovers/3', 'recovers/4', 'recovers/5', 'recovers/6'] as const
const SINGLE = ['well', 'error', 'refuses', 'never', ...RECOVERING] as const
const OF_EACH = 5
/** The last retry of what failed for the fifth time just before the pause comes 24 hours after it. */
const HOURS = Number(process.argv[2] ?? 50)
/** Changes come every three hours, past the pause of those that do not answer. */
const STREAM_EVERY_HOURS = 3
const STREAM_HOURS = 30

Runtime.install({ ...runtimeOptions(createLog('error')), shutdownSignals: [] })
const { env, server, folder } = await startTimeSkipping()
const postgres = await startTestPostgres()
const sql = connect(`${postgres.url}/${TEMPLATE}`)
const receiver = await startReceiver()
const client = new Client({ connection: env.connection, namespace: env.namespace ?? 'default' })
const workers = await buildWorkers(testContext(sql, client), env.nativeConnection)
const running = workers.run()
const began = performance.now()
const problems: string[] = []
const now = async (): Promise<Instant> => instantOf(await env.currentTimeMs())

const seen = new Map<string, number>()
let recovered = false
receiver.answer(({ path, headers }) => {
  const key = `${path} ${headers['webhook-id']}`
  seen.set(key, (seen.get(key) ?? 0) + 1)
  if (path.includes('/well/') || recovered) return { status: 200 }
  if (path.includes('/never/')) return undefined
  const from = Number(/recovers\/(\d)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY)
  return { status: seen.get(key)! >= from ? 204 : 500 }
})

try {
  const webhooks = await createWebhooks()
  const start = await now()
  await publish(ONCE, start)
  let [checks, hour] = [0, 0]
  for (let at = start; epochMs(at) < epochMs(start) + HOURS * HOUR; at = plus(at, CHECK_MS)) {
    const changes = hour < STREAM_HOURS && epochMs(at) >= epochMs(start) + hour * HOUR
    // A check that would find nothing due does nothing: leaving those out changes the time of none that does.
    if (!changes && !(await somethingIsDue(at))) continue
    await env.sleep(Math.max(0, epochMs(at) - (await env.currentTimeMs())))
    if (changes) {
      await publish(STREAM, await now())
      hour += STREAM_EVERY_HOURS
    }
    await client.workflow.execute('check', { taskQueue: 'checks', workflowId: `check/${randomUUID()}` })
    checks++
  }
  say(`${checks} checks over ${HOURS} hours, in ${Math.round((performance.now() - began) / 1_000)} s`)
  const ends = await endsOf(sql, webhooks)
  console.table(ends)
  problems.push(...judgeEnds(ends), ...(await lateRetries(sql, CHECK_MS)))
  await resumeAll(webhooks)
} finally {
  workers.shutdown()
  await running
  await sql.end()
  await receiver.close()
  await env.teardown()
  await server.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) say(`WRONG: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)

async function createWebhooks(): Promise<Map<string, string>> {
  await sql`insert into provider (provider, name, created_at) values ('acme', 'Acme', now()) on conflict do nothing`
  const tools = { secretKey: TEST_KEY, checkUrl: async () => {} }
  const made = new Map<string, string>()
  for (let n = 0; n < OF_EACH; n++) {
    const { workspaceId } = await createWorkspace(sql, { name: `Workspace ${n}` })
    const kinds = [...STREAMED.map((kind) => [kind, STREAM] as const), ...SINGLE.map((kind) => [kind, ONCE] as const)]
    for (const [at, [kind, type]] of kinds.entries()) {
      const dead = kind === 'refuses'
      const url = dead ? 'http://127.0.0.1:9/' : `${receiver.url}/${kind}/${n}-${at}`
      const body = { name: kind, url, providers: ['acme'], eventTypes: [type] }
      const { webhook } = await createWebhook(sql, tools, workspaceId, body)
      made.set(webhook.id, `${kind}, ${type === STREAM ? 'often' : 'once'}`)
    }
  }
  return made
}

async function somethingIsDue(at: Instant): Promise<boolean> {
  const [row] = await sql`select exists (select from delivery where status = 'pending' and due_at <= ${at}) as due`
  return row!.due
}

/** At the virtual instant, or as soon after the last publication as the clock allows. */
async function publish(type: typeof STREAM | typeof ONCE, at: Instant): Promise<void> {
  const [clock] = await sql<{ last: Instant }[]>`select last_stamp as last from publication_clock`
  const earliest = plus(clock!.last, 1)
  const draft = { type, provider: 'acme', payload: {}, resources: ['model'], members: ['model'] }
  await publishing(sql, (tx, stamp) => recordEvents(tx, stamp, [draft]), at > earliest ? at : earliest)
}

/** What States and transitions says of each kind. */
function judgeEnds(ends: Record<string, Ends>): string[] {
  const wrong: string[] = []
  const demand = (holds: boolean, what: string) => void (holds || wrong.push(what))
  for (const [kind, end] of Object.entries(ends)) {
    const { deliveries, succeeded, failed, notSent, pending, paused, webhooks } = end
    demand(pending === 0, `${kind}: ${pending} are still pending`)
    demand(succeeded + failed + notSent + pending === deliveries, `${kind}: the counts do not add up`)
    if (kind.startsWith('well') || kind.startsWith('recovers')) {
      demand(succeeded === deliveries && paused === 0, `${kind}: not all succeeded, or a webhook is paused`)
      const attempts = kind.startsWith('well') ? 1 : Number(kind[9])
      demand(end.attempts === attempts * deliveries, `${kind}: ${end.attempts} attempts`)
    } else {
      demand(paused === webhooks, `${kind}: ${paused} of ${webhooks} webhooks are paused`)
      demand(succeeded === 0, `${kind}: something succeeded`)
      if (kind.includes('once'))
        demand(failed === deliveries && end.attempts === 6 * deliveries, `${kind}: not 6 attempts`)
      else demand(notSent > 0, `${kind}: what was due while paused was sent`)
    }
  }
  return wrong
}

/** The receivers recover: an operator resumes every paused webhook and resends what was not sent. */
async function resumeAll(webhooks: Map<string, string>): Promise<void> {
  recovered = true
  const rows = await sql<{ id: string; workspaceId: string; wanted: number }[]>`
    select webhook_id as id, workspace_id as "workspaceId",
           (select count(*)::int from delivery d where d.webhook_id = w.webhook_id and not_sent is not null) as wanted
    from webhook w where state = 'paused' and url not like '%:9/'`
  const workflows = createDeliveryWorkflows(client)
  let resent = 0
  for (const { id, workspaceId, wanted } of rows) {
    const done = await resumeAndResend({ sql, workflows, now: await now() }, { id, workspaceId })
    resent += done.resent
    if (done.resent !== wanted) problems.push(`${webhooks.get(id)}: ${done.resent} of ${wanted} were resent`)
  }
  await client.workflow.execute('check', { taskQueue: 'checks', workflowId: `check/${randomUUID()}` })
  const [left] = await sql<{ count: number }[]>`
    select count(*)::int from delivery where webhook_id = any(${rows.map(({ id }) => id)}::uuid[]) and status <> 'succeeded'
      and (not_sent is not null or status = 'pending')`
  if (left!.count > 0) problems.push(`${left!.count} resent deliveries did not succeed`)
  say(`${rows.length} webhooks resumed, ${resent} deliveries resent, ${left!.count} of them did not succeed`)
}
