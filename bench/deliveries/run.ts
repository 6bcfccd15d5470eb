/**
 * Deliveries against bare workflows on the same servers in the same run: see README.md.
 * usage: node --import tsx bench/deliveries/run.ts [deliveries] [repeats] [dead|attributes]
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { type Instant, instantOf } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect } from '../../src/lib/sql.ts'
import { runtimeOptions } from '../../src/temporal/log.ts'
import { buildWorkers } from '../../src/worker.ts'
import { addDeliveries, addWebhook, testContext } from '../../test/support/webhooks/deliveries.ts'
import { type CpuTimes, cpuOf, postmaster, total } from './cpu.ts'
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

Runtime.install(runtimeOptions(createLog('error')))
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

const cpu = cpuOf({
  temporal: servers.temporal.pid,
  receiver: receiver.pid,
  postgres: await postmaster(servers.postgres.folder),
})

async function bare(count: number) {
  const from = performance.now()
  const used = cpu()
  let left = count
  const lane = async () => {
    while (left-- > 0) {
      const options = { taskQueue: 'bare', workflowId: `bare/${randomUUID()}`, requestEagerStart: true }
      await client.workflow.execute('bare', options)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return { rate: Math.round((count / ((performance.now() - from) / 1000)) * 10) / 10, cpu: used(count) }
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
  const seenBefore = await receiver.seen()
  const cpuUsed = cpu()
  const workflowId = `check/${randomUUID()}`
  const handle = await client.workflow.start('check', { taskQueue: 'checks', workflowId })
  const ids = hooks.map((hook) => hook.id)
  for (;;) {
    const [left] = await sql`
      select count(*)::int as count from delivery where webhook_id = any(${ids}::uuid[]) and status = 'pending'`
    if (left!.count === 0) break
    await sleep(1_000)
  }
  await handle.cancel().catch(() => {})
  await handle.result().catch(() => {})
  const used = cpuUsed(well)
  const seen = await receiver.seen()
  const [numbers] = await sql`
    with mine as (
      select a.*, d.created_at from attempt a join delivery d using (delivery_id)
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
    connections: seen.connections - seenBefore.connections,
    cpu: used,
    spurious,
  }
}

await bare(300)
await round(400, 0)
const results = []
for (let repeat = 1; repeat <= REPEATS; repeat++) {
  // Interleaved, so that what else the machine does falls on all alike.
  const before = await bare(COUNT)
  const well = await round(COUNT, 0)
  const after = await bare(COUNT)
  const mixed = await round(COUNT, Math.round(COUNT * 0.43))
  const again = await round(COUNT, 0)
  results.push({ before, well, after, mixed, again })
  const show = ({ cpu, ...rest }: { cpu: CpuTimes }) => ({ ...rest, ...cpu })
  console.log(
    `repeat ${repeat}, load ${loadavg()[0]!.toFixed(1)}: ms of CPU each by sender, Temporal, PostgreSQL, receiver`,
  )
  console.table({
    bare: show(before),
    deliveries: show(well),
    'bare again': show(after),
    'with 30 % dead': show(mixed),
    'deliveries again': show(again),
  })
}
const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!
const percent = (share: number) => `${Math.round(share * 100)} %`
const shares = results.map((r) => r.well.rate / ((r.before.rate + r.after.rate) / 2))
const besides = results.map((r) => r.mixed.rate / ((r.well.rate + r.again.rate) / 2))
const bareCpu = median(results.flatMap((r) => [total(r.before.cpu), total(r.after.cpu)]))
const ourCpu = median(results.flatMap((r) => [total(r.well.cpu), total(r.again.cpu)]))
console.log(`medians of ${REPEATS} repeats of ${COUNT}, load ${loadavg()[0]!.toFixed(1)}:`)
console.log(`  bare ${median(results.flatMap((r) => [r.before.rate, r.after.rate])).toFixed(1)}/s`)
console.log(`  deliveries ${median(results.flatMap((r) => [r.well.rate, r.again.rate])).toFixed(1)}/s`)
console.log(`  deliveries in per cent of bare: ${percent(median(shares))} (${shares.map(percent).join(', ')})`)
console.log(`  with 30 % dead, of without: ${percent(median(besides))} (${besides.map(percent).join(', ')})`)
console.log(
  `  ms of CPU each: bare ${bareCpu.toFixed(1)}, deliveries ${ourCpu.toFixed(1)}: ${percent(bareCpu / ourCpu)}`,
)
console.log(`  ms of CPU each with 30 % dead: ${median(results.map((r) => total(r.mixed.cpu))).toFixed(1)}`)
workers.shutdown()
bareWorker.shutdown()
await Promise.all(running)
await connection.close()
await sql.end()
receiver.stop()
await servers.temporal[Symbol.asyncDispose]()
await servers.postgres[Symbol.asyncDispose]()
