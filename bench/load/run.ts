/**
 * One detection round with 20,000 deliveries to fast, slow and dead receivers, and reads beside it: see README.md.
 * usage: node --import tsx bench/load/run.ts [events] [workers] [postgres|file]
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { say } from '../../ops/run.ts'
import { CHECKS_QUEUE } from '../../src/webhooks/workflow-schema.ts'
import { judge, spreadOf } from './judge.ts'
import { type Usage, usageOf } from './processes.ts'
import { keepReading, type ReadResult } from './reads.ts'
import { setUp } from './set-up.ts'
import { temporalSize } from './size/temporal-size.ts'
import { createTenants, KINDS, publishChanges } from './tenants.ts'

const WORKSPACES = 50
const WEBHOOKS_EACH = 20
const READS_PER_SECOND = 20
const IDLE_MS = 15_000
const SPARED = WORKSPACES / 5
/** A round and the one after it make every first attempt; more would mean that something stands still. */
const MAX_ROUNDS = 4

const events = Number(process.argv[2] ?? 20)
const workers = Number(process.argv[3] ?? 1)
const store = process.argv[4] === 'file' ? 'file' : 'postgres'

const wanted = { name: 'load', workers, temporal: store, checkSeconds: 300, paused: true } as const
const { receivers, installation, sql, stop } = await setUp(wanted)
const connection = await Connection.connect({ address: installation.temporal.address })
const client = new Client({ connection })
const problems: string[] = []
try {
  await measure()
} finally {
  await connection.close()
  await stop()
}
for (const problem of problems) say(`WRONG: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)

async function measure(): Promise<void> {
  const tenants = await createTenants(sql, { workspaces: WORKSPACES, webhooksEach: WEBHOOKS_EACH }, receivers.urlOf)
  receivers.know(tenants)
  const api = keepReading(installation.api.url, tenants.keys, READS_PER_SECOND)
  await sleep(IDLE_MS)
  api.take()
  const warm = usages()
  await sleep(IDLE_MS)
  const idle = { reads: api.take(), usage: usages() }
  say(`${tenants.webhooks.size} webhooks. ${idle.reads.length} reads without deliveries, each:`)
  console.table(costs(warm, idle.usage, idle.reads.length))

  const stores = installation.temporal.store
  if (stores) console.table(await temporalSize(stores.url))
  await publishChanges(sql, events)
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const before = round === 1 ? idle.usage : usages()
    const [began, made] = [performance.now(), await attempts()]
    const report = await client.workflow.execute('check', {
      taskQueue: CHECKS_QUEUE,
      workflowId: `load/check-${round}`,
    })
    const seconds = (performance.now() - began) / 1_000
    say(`\nRound ${round} of ${seconds.toFixed(0)} s. Load: ${loadavg()[0]?.toFixed(1)}\n${JSON.stringify(report)}`)
    const during = api.take()
    const count = (await attempts()) - made
    say(`${count} attempts, ${(count / seconds).toFixed(1)} a second`)
    console.table(costs(before, usages(), count))
    if (round === 1) console.table({ idle: latency(idle.reads), 'beside the round': latency(during) })
    say(`${during.length} reads in the round`)
    const judged = await judge(sql, tenants, await receivers.posts())
    const lags = judged.lags
    console.table(judged.byKind)
    const lagsOf = (wanted: (lag: (typeof lags)[number]) => boolean) =>
      spreadOf(lags.filter(wanted).map(({ seconds }) => seconds))
    console.table({
      ...Object.fromEntries(KINDS.map((kind) => [`${kind}: due to sent, s`, lagsOf((lag) => lag.kind === kind)])),
      'fast, workspaces without slow or dead ones': lagsOf(({ kind, path }) => kind === 'fast' && spared(path)),
      'fast, beside slow and dead ones': lagsOf(({ kind, path }) => kind === 'fast' && !spared(path)),
    })
    const left = Object.values(judged.byKind).reduce((sum, { notYet }) => sum + notYet, 0)
    if (left > 0 && round < MAX_ROUNDS) continue
    problems.push(...judged.wrong)
    if (left > 0) problems.push(`${left} deliveries had no attempt in ${MAX_ROUNDS} rounds`)
    if (judged.deliveries !== events * tenants.webhooks.size) problems.push(`there are ${judged.deliveries} deliveries`)
    say(
      `${judged.deliveries} deliveries, ${judged.doubled} of them sent twice; all signatures verified: ${judged.wrong.length === 0}`,
    )
    break
  }
  await api.stop()
  if (stores) console.table(await temporalSize(stores.url))
  console.table(await connections())
}

function spared(path: string): boolean {
  return Number(path.split('/')[2]!.split('-')[0]) <= SPARED
}

async function attempts(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from attempt where finished_at is not null`
  return row!.count
}

function usages(): Record<string, Usage> {
  const pids: Record<string, number[]> = { ...installation.pids(), receivers: [receivers.pid] }
  return Object.fromEntries(Object.entries(pids).map(([name, list]) => [name, usageOf(list)]))
}

function costs(before: Record<string, Usage>, after: Record<string, Usage>, count: number) {
  return Object.fromEntries(
    Object.entries(after).map(([name, { cpuSeconds, mainThreadSeconds, memoryMb, descriptors }]) => {
      const used = cpuSeconds - before[name]!.cpuSeconds
      const main = mainThreadSeconds - before[name]!.mainThreadSeconds
      const each = (seconds: number) => ((seconds * 1_000) / count).toFixed(2)
      return [
        name,
        { 'CPU s': used.toFixed(1), 'ms each': each(used), 'main thread': each(main), memoryMb, descriptors },
      ]
    }),
  )
}

function latency(reads: ReadResult[]) {
  const failed = reads.filter(({ status }) => status !== 200).length
  return { ...spreadOf(reads.map(({ ms }) => ms)), failed }
}

/** How many connections each part holds to its database. */
function connections() {
  return sql`
    select application_name as name, count(*)::int as connections from pg_stat_activity
    where application_name like 'pricetape-%' group by 1 order by 1`
}
