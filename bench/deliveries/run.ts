/**
 * Deliveries against bare workflows on the same servers in the same run: see README.md.
 * usage: node --import tsx bench/deliveries/run.ts [deliveries] [repeats]
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { type Instant, instantOf } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { connect } from '../../src/lib/sql.ts'
import { buildWorkers } from '../../src/worker.ts'
import { addDeliveries, addWebhook, testContext } from '../../test/support/deliveries.ts'
import { makeCertificate, startReceiver, startServers } from './servers.ts'

const COUNT = Number(process.argv[2] ?? 2_000)
const REPEATS = Number(process.argv[3] ?? 3)
const WEBHOOKS = 40
const IN_FLIGHT = 64

if (!process.env.BENCH_KEY) {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-bench-'))
  const { key, cert } = makeCertificate(folder)
  const again = spawn(process.execPath, ['--import', 'tsx', ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_EXTRA_CA_CERTS: cert, BENCH_KEY: key },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => again.kill(signal))
  const [status] = await once(again, 'exit')
  process.exit(status ?? 1)
}

Runtime.install({
  shutdownSignals: [],
  logger: { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error },
})
const receiver = await startReceiver({ key: process.env.BENCH_KEY!, cert: process.env.NODE_EXTRA_CA_CERTS! })
const servers = await startServers()
const sql = connect(`${servers.postgres.url}`)
await migrate(sql)
await sql.unsafe('create extension pg_stat_statements')
const connection = await NativeConnection.connect({ address: servers.temporal.address })
const client = new Client({ connection })
const workers = await buildWorkers(testContext(sql, client), connection)
const bareWorker = await Worker.create({
  connection,
  taskQueue: 'bare',
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('bare-workflow.ts', import.meta.url)),
    logger: Runtime.instance().logger,
  }),
  activities: { nothing: async () => {} },
  maxConcurrentWorkflowTaskExecutions: 160,
  maxConcurrentLocalActivityExecutions: 160,
})
const running = [workers.run(), bareWorker.run()]

/** CPU seconds that this process and the Temporal server have used: unlike a rate, they do not depend on neighbours. */
function cpuSeconds(): { sender: number; server: number } {
  const { user, system } = process.cpuUsage()
  const fields = readFileSync(`/proc/${servers.temporal.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return { sender: (user + system) / 1e6, server: (Number(fields[11]) + Number(fields[12])) / 100 }
}

const cpuEach = (before: ReturnType<typeof cpuSeconds>, count: number): string => {
  const after = cpuSeconds()
  const ms = (used: number) => ((used * 1000) / count).toFixed(1)
  return `${ms(after.sender - before.sender)} + ${ms(after.server - before.server)}`
}

async function bare(count: number): Promise<{ rate: number; cpu: string }> {
  const from = performance.now()
  const cpu = cpuSeconds()
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const options = { taskQueue: 'bare', workflowId: `bare/${randomUUID()}`, requestEagerStart: true }
      await client.workflow.execute('bare', options)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return { rate: count / ((performance.now() - from) / 1000), cpu: cpuEach(cpu, count) }
}

const now = (): Instant => instantOf(Date.now())

async function round(well: number, dead: number) {
  const at = now()
  const hooks: { workspaceId: string; id: string }[] = []
  const deadHooks = dead > 0 ? Math.round((WEBHOOKS * dead) / well) : 0
  for (let n = 0; n < WEBHOOKS; n++)
    hooks.push(await addWebhook(sql, { url: `https://127.0.0.1:${receiver.wellPort}/`, at }))
  for (const hook of hooks) await addDeliveries(sql, hook, { count: Math.ceil(well / WEBHOOKS), at })
  for (let n = 0; n < deadHooks; n++) {
    const hook = await addWebhook(sql, { url: `https://127.0.0.1:${receiver.deadPort}/`, at })
    await addDeliveries(sql, hook, { count: Math.ceil(dead / deadHooks), at })
  }
  await sql`analyze`
  await sql`update delivery set due_at = ${now()} where status = 'pending'`
  await sql`select pg_stat_statements_reset()`
  const cpu = cpuSeconds()
  const workflowId = `check/${randomUUID()}`
  const handle = await client.workflow.start('check', { taskQueue: 'checks', workflowId })
  const ids = hooks.map((hook) => hook.id)
  for (;;) {
    const [left] = await sql`
      select count(*)::int as count from delivery where webhook_id = any(${ids}::uuid[]) and status = 'pending'`
    if (left!.count === 0) break
    await sleep(200)
  }
  await handle.cancel().catch(() => {})
  await handle.result().catch(() => {})
  const used = cpuEach(cpu, well)
  const [numbers] = await sql`
    with mine as (
      select a.*, d.created_at, d.settled_at from attempt a join delivery d using (delivery_id)
      where d.webhook_id = any(${ids}::uuid[]) and a.outcome = 'succeeded')
    select count(*)::int as sent, (extract(epoch from max(finished_at) - min(started_at)))::float as seconds,
           percentile_cont(0.5) within group (order by extract(epoch from started_at - created_at))::float as p50,
           percentile_cont(0.99) within group (order by extract(epoch from started_at - created_at))::float as p99,
           percentile_cont(0.5) within group (order by duration_ms)::float as post
    from mine`
  const [{ calls }] = (await sql`
    select sum(calls)::int as calls from pg_stat_statements where query not ilike '%pg_stat_statements%'`) as unknown as [
    { calls: number },
  ]
  const [{ spurious }] = (await sql`
    select count(*)::int as spurious from attempt a join delivery d using (delivery_id)
    where d.webhook_id = any(${ids}::uuid[]) and a.outcome <> 'succeeded'`) as unknown as [{ spurious: number }]
  if (process.env.BENCH_TOP) {
    console.table(
      await sql`select calls, round(total_exec_time) as ms, left(query, 70) as query
                            from pg_stat_statements order by calls desc limit 14`,
    )
  }
  await sql`update webhook set state = 'paused'`
  await sleep(6_000)
  const [{ attempts }] = (await sql`
    select count(*)::int as attempts from attempt where started_at >= ${at}`) as unknown as [{ attempts: number }]
  return {
    rate: Math.round((numbers!.sent / numbers!.seconds) * 10) / 10,
    sent: numbers!.sent as number,
    started: attempts,
    'lag p50 s': numbers!.p50.toFixed(2),
    'lag p99 s': numbers!.p99.toFixed(2),
    'post p50 ms': numbers!.post,
    'statements/attempt': (calls / attempts).toFixed(2),
    'cpu ms each': used,
    spurious,
  }
}

await bare(300)
await round(400, 0)
const rates = { bare: [] as number[], well: [] as number[], mixed: [] as number[] }
for (let repeat = 1; repeat <= REPEATS; repeat++) {
  const reference = await bare(COUNT)
  const well = await round(COUNT, 0)
  const mixed = await round(COUNT, Math.round(COUNT * 0.43))
  rates.bare.push(reference.rate)
  rates.well.push(well.rate)
  rates.mixed.push(mixed.rate)
  console.log(`repeat ${repeat}: bare workflows ${reference.rate.toFixed(1)}/s, cpu ms each ${reference.cpu}`)
  console.table({ deliveries: well, 'with 30 % dead': mixed })
}
const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!
const [bareRate, wellRate, mixedRate] = [median(rates.bare), median(rates.well), median(rates.mixed)]
console.log(`medians: bare ${bareRate.toFixed(1)}/s, deliveries ${wellRate}/s, beside 30 % dead ${mixedRate}/s`)
console.log(
  `${((wellRate / bareRate) * 100).toFixed(0)} % of bare, ${((mixedRate / wellRate) * 100).toFixed(0)} % of that beside dead endpoints`,
)
workers.shutdown()
bareWorker.shutdown()
await Promise.all(running)
await connection.close()
await sql.end()
receiver.stop()
await servers.temporal[Symbol.asyncDispose]()
await servers.postgres[Symbol.asyncDispose]()
