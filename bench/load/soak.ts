/**
 * An installation at a steady, moderate rate: memory, descriptors and connections of API and worker, minute by minute.
 * usage: node --import tsx bench/load/soak.ts [minutes] [file that samples are appended to]
 */
import { appendFile, readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from '../../ops/run.ts'
import { usageOf } from './processes.ts'
import { keepReading } from './reads.ts'
import { setUp } from './set-up.ts'
import { createTenants, publishChanges } from './tenants.ts'
import { trendsOf } from './trend-rules.ts'

const MINUTE_MS = 60_000
/** Every webhook gets one delivery each time. */
const PUBLISH_EVERY_MS = 40_000
const CHECK_SECONDS = 40
const READS_PER_SECOND = 3
/** More open deliveries than a worker keeps workflows of in memory, so that this part does not grow during the soak. */
const WAITING = 1_200
const REPORT_TRIES = 10
const GARBAGE_LOG = 'garbage.jsonl'

const minutes = Number(process.argv[2] ?? 60)
const file = process.argv[3]
const { folder, receivers, installation, sql, stop } = await setUp({
  name: 'soak',
  workers: 1,
  temporal: 'postgres',
  checkSeconds: CHECK_SECONDS,
  env: (own) => ({
    GARBAGE_LOG: join(own, GARBAGE_LOG),
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'collect-garbage.js')}`,
  }),
})
const garbageLog = join(folder, GARBAGE_LOG)
const tenants = await createTenants(sql, { workspaces: 20, webhooksEach: 5 }, receivers.urlOf)
receivers.know(tenants)
const dead = [...tenants.webhooks.values()].filter(({ kind }) => kind === 'error' || kind === 'refuses')
await publishWaiting()
const reader = keepReading(installation.api.url, tenants.keys, READS_PER_SECOND)
const publishing = setInterval(() => void publishChanges(sql, 1).catch(() => {}), PUBLISH_EVERY_MS)
say(`The soak runs for ${minutes} minutes. Load of the machine: ${loadavg()[0]?.toFixed(1)}`)

const samples: Sample[] = []
type Sample = Record<string, number>
let threads = 2
const began = Date.now()
try {
  while (Date.now() - began < minutes * MINUTE_MS) {
    await sleep(MINUTE_MS - 2_000)
    const sample = await takeSample()
    samples.push(sample)
    if (file) await appendFile(file, `${JSON.stringify(sample)}\n`)
  }
} finally {
  clearInterval(publishing)
  await reader.stop()
  await stop()
}
console.table(trendsOf(samples))

/** Deliveries of a dead webhook that wait for their retry during the whole soak. */
async function publishWaiting(): Promise<void> {
  const ids = dead.map(({ id }) => id)
  await publishChanges(sql, 1)
  await sql`
    with first as (select event_id from event order by seq desc limit 1),
    made as (
      insert into event (seq, event_id, type, provider, eligible_at, resources, members, body, matched_at)
      select e.seq + n, e.event_id || '-' || n, e.type, e.provider, e.eligible_at, e.resources, e.members, e.body, now()
      from event e join first using (event_id), generate_series(1, ${Math.ceil(WAITING / ids.length)}) n
      returning event_id)
    insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
    select w.webhook_id, w.workspace_id, made.event_id, now(), now()
    from made, webhook w where w.webhook_id = any(${ids}::uuid[])`
  await sql`update publication_clock set last_seq = (select max(seq) from event)`
}

/** Returns what each thread of these processes reports. A busy thread answers late. */
async function collectGarbage(pids: number[]): Promise<string[]> {
  const read = () => readFile(garbageLog, 'utf8').catch(() => '')
  const from = (await read()).length
  for (const pid of pids) process.kill(pid, 'SIGUSR2')
  for (let tries = 0; ; tries++) {
    await sleep(1_000)
    const lines = (await read()).slice(from).trim().split('\n').filter(Boolean)
    if (lines.length >= threads || tries === REPORT_TRIES) {
      threads = Math.max(threads, lines.length)
      return lines
    }
  }
}

async function takeSample(): Promise<Sample> {
  const pids = installation.pids()
  const heaps = await collectGarbage([pids.api![0]!, pids['worker 1']![0]!])
  const sample: Sample = { minute: (Date.now() - began) / MINUTE_MS, load: loadavg()[0]! }
  for (const line of heaps) {
    const { pid, thread, used, external } = JSON.parse(line) as Record<string, number>
    const name = pids.api![0] === pid ? 'api' : 'worker 1'
    const where = thread === 0 ? name : `${name}, workflow thread`
    sample[`${where}: heap MB`] = (sample[`${where}: heap MB`] ?? 0) + used! / 1e6
    sample[`${where}: external MB`] = (sample[`${where}: external MB`] ?? 0) + external! / 1e6
  }
  for (const [name, list] of Object.entries(pids)) {
    const { memoryMb, descriptors, cpuSeconds } = usageOf(list)
    sample[`${name}: memory MB`] = memoryMb
    sample[`${name}: descriptors`] = descriptors
    sample[`${name}: cpu s`] = cpuSeconds
  }
  const rows = await sql<{ name: string; count: number }[]>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where application_name like 'pricetape%' group by 1`
  for (const { name, count } of rows) sample[`${name}: connections`] = count
  const [made] = await sql<{ attempts: number; open: number; succeeded: number }[]>`
    select (select count(*)::int from attempt) as attempts,
           count(*) filter (where status = 'pending')::int as open,
           count(*) filter (where status = 'succeeded')::int as succeeded from delivery`
  const reads = reader.take()
  return { ...sample, ...made!, reads: reads.length, failedReads: reads.filter((r) => r.status !== 200).length }
}
