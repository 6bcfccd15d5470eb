/**
 * A round shared by several worker processes, and healthy tenants beside failing ones: see README.md.
 * usage: node --import tsx bench/deliveries/processes.ts [deliveries] [repeats] [parts of rows' names, with commas]
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { instantOf } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect } from '../../src/lib/sql.ts'
import { addDeliveries, addWebhook } from '../../test/support/webhooks/deliveries.ts'
import { usageOf } from '../load/processes.ts'
import { postmaster } from './cpu.ts'
import { makeCertificate, startReceiver, startServers } from './servers.ts'

const COUNT = Number(process.argv[2] ?? 1_500)
const REPEATS = Number(process.argv[3] ?? 2)
const ONLY = (process.argv[4] ?? '').split(',')
const WEBHOOKS = 60
const FAILING = 1_000
/** So few that they limit a process, not the processors. */
const FEW_SLOTS = 8

if (!process.env.BENCH_KEY) {
  const { key, cert } = makeCertificate(mkdtempSync(join(tmpdir(), 'pricetape-bench-')))
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert, BENCH_KEY: key }
  const again = spawn(process.execPath, ['--import', 'tsx', ...process.argv.slice(1)], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => again.kill(signal))
  const [status] = await once(again, 'exit')
  process.exit(status ?? 1)
}

const receiver = await startReceiver({ key: process.env.BENCH_KEY!, cert: process.env.NODE_EXTRA_CA_CERTS! })
const servers = await startServers()
const sql = connect(servers.postgres.url)
await migrate(sql)
const connection = await Connection.connect({ address: servers.temporal.address })
const client = new Client({ connection })
const postgresPid = await postmaster(servers.postgres.folder)

async function startWorkers(count: number, env: Record<string, string>): Promise<ChildProcess[]> {
  const settings = JSON.stringify({ databaseUrl: servers.postgres.url, address: servers.temporal.address, env })
  const children = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, 'worker.ts'), [settings], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  return children
}

async function stopWorkers(children: ChildProcess[]): Promise<void> {
  for (const child of children) child.send('stop')
  await Promise.all(children.map((child) => once(child, 'exit')))
}

async function tenants(count: number, each: number, port: number): Promise<string[]> {
  const at = instantOf(Date.now())
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const hook = await addWebhook(sql, { url: `https://127.0.0.1:${port}/`, at })
    await addDeliveries(sql, hook, { count: each, at })
    ids.push(hook.id)
  }
  return ids
}

type RoundOptions = { workers: number; port: number; count: number; slots?: number; failingPort?: number }

/** One round with workers of its own. Healthy tenants' rate, from their first attempt to their last. */
async function round({ workers, port, count, slots = 64, failingPort }: RoundOptions) {
  const children = await startWorkers(workers, { PRICETAPE_MAX_IN_FLIGHT: String(slots) })
  const healthy = await tenants(WEBHOOKS, Math.ceil(count / WEBHOOKS), port)
  if (failingPort) {
    const failing = await tenants(FAILING, 3, failingPort)
    await sql`update webhook set failures_in_row = 1, first_failure_at = now() where webhook_id = any(${failing}::uuid[])`
  }
  await sql`analyze`
  const pids = children.map(({ pid }) => pid!)
  const usages = () => [...pids.map((pid) => usageOf([pid])), usageOf([servers.temporal.pid]), usageOf([postgresPid])]
  const before = usages()
  const handle = await client.workflow.start('check', { taskQueue: 'checks', workflowId: `check/${randomUUID()}` })
  const isLeft = async () =>
    (await sql`select from delivery where webhook_id = any(${healthy}::uuid[]) and status = 'pending' limit 1`).length >
    0
  while (await isLeft()) await sleep(500)
  const over = instantOf(Date.now())
  const used = usages().map(({ cpuSeconds }, n) => cpuSeconds - before[n]!.cpuSeconds)
  await handle.cancel().catch(() => {})
  await handle.result().catch(() => {})
  const [numbers] = await sql`
    select count(*)::int as sent, (extract(epoch from max(a.finished_at) - min(a.started_at)))::float as seconds,
           (select count(*)::int from attempt where finished_at <= ${over}) as attempts
    from attempt a join delivery d using (delivery_id)
    where d.webhook_id = any(${healthy}::uuid[]) and a.outcome = 'succeeded'`
  await stopWorkers(children)
  await sql`delete from webhook`
  const { sent, seconds, attempts } = numbers!
  const each = (sum: number) => Math.round((sum / attempts) * 10_000) / 10
  const ofWorkers = used.slice(0, workers)
  const sum = ofWorkers.reduce((a, b) => a + b, 0)
  return {
    rate: Math.round((sent / seconds) * 10) / 10,
    attempts,
    'workers, ms of CPU': each(sum),
    temporal: each(used.at(-2)!),
    postgres: each(used.at(-1)!),
    all: each(used.reduce((a, b) => a + b, 0)),
    'largest share of a worker': Math.round((Math.max(...ofWorkers) / sum) * 100) / 100,
  }
}

const { wellPort, latePort, failingPort, deadPort } = receiver
await round({ workers: 1, port: wellPort, count: 300 })
for (let repeat = 1; repeat <= REPEATS; repeat++) {
  const rows: Record<string, Awaited<ReturnType<typeof round>>> = {}
  const measure = async (name: string, wanted: RoundOptions) => {
    if (ONLY.some((part) => name.includes(part))) rows[name] = await round(wanted)
  }
  for (const workers of [1, 2, 4]) await measure(`${workers} processes`, { workers, port: wellPort, count: COUNT })
  for (const workers of [1, 2, 4])
    await measure(`${workers} with ${FEW_SLOTS} slots, 0.9 s`, {
      workers,
      port: latePort,
      count: 300,
      slots: FEW_SLOTS,
    })
  const alone = { workers: 1, port: wellPort, count: COUNT }
  await measure('beside 1,000 that never answer', { ...alone, failingPort: deadPort })
  await measure('beside 1,000 that answer 500', { ...alone, failingPort })
  await measure('alone again', alone)
  console.log(`repeat ${repeat}, load ${loadavg()[0]!.toFixed(1)}`)
  console.table(rows)
}
await connection.close()
await sql.end()
receiver.stop()
await servers.temporal[Symbol.asyncDispose]()
await servers.postgres[Symbol.asyncDispose]()
