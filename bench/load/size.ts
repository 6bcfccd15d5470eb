/**
 * What deliveries, workflows and price rows take in the databases, each at two sizes, so that growth shows to be linear.
 * usage: node --import tsx bench/load/size.ts [deliveries] [workflows] [price rows]
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { say } from '../../ops/run.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { attemptDelivery } from '../../src/webhooks/attempts/attempt-delivery.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { claimDeliveries } from '../../src/webhooks/rounds/round-store.ts'
import { CHECKS_QUEUE } from '../../src/webhooks/workflow-schema.ts'
import { TEST_KEY } from '../../test/support/deliveries.ts'
import { databaseOf } from '../history/data.ts'
import { compiled, startInstallation } from './installation.ts'
import { startReceivers } from './receivers.ts'
import { bytesEach, type Point } from './size-rules.ts'
import { createTenants, type Kind, publishChanges, type Tenants } from './tenants.ts'

const [DELIVERIES, WORKFLOWS, ROWS] = [2, 3, 4].map((at) =>
  Number(process.argv[at] ?? [60_000, 2_000, 300_000][at - 2]),
)
const AT_ONCE = 10
const BATCH = 500
const LIKELY_ANSWER = { kind: 'answer', status: 200, response: '{"ok":true}', durationMs: 120 } as const

const folder = await mkdtemp(join(tmpdir(), 'pricetape-size-'))
await chmod(folder, 0o755)
const receivers = await startReceivers(folder)
const installation = await startInstallation({
  folder,
  code: await compiled(),
  workers: 1,
  temporal: 'postgres',
  cert: receivers.cert,
  checkSeconds: 300,
  paused: true,
})
const sql = connect(installation.database.url, { max: AT_ONCE + 2, name: 'size' })
const store = installation.temporal.store!.url.replace(/[^/]*$/, '')
const stores = ['temporal', 'temporal_visibility'].map((name) => connect(store + name, { max: 1, name: 'size' }))
const connection = await Connection.connect({ address: installation.temporal.address })
const client = new Client({ connection })
try {
  const [real] = await sql<{ count: number }[]>`select count(*)::int from publication`
  say(`Real history of ${real!.count} price rows:`)
  console.table(await tables(sql))
  await priceRows()
  await deliveries()
  for (const kind of ['fast', 'error'] as const) await workflows(kind)
} finally {
  await Promise.all([sql, ...stores].map((pool) => pool.end()))
  await connection.close()
  await installation.stop()
  receivers.stop()
  await rm(folder, { recursive: true, force: true })
}

/** The history multiplied, in databases of their own. */
async function priceRows(): Promise<void> {
  const points: Point[] = [{ count: 0, bytes: 0 }]
  for (const rows of [ROWS! / 3, ROWS!]) {
    const made = await databaseOf(installation.database.url.replace(/\/[^/]*$/, ''), rows)
    const [size] = await made.sql<{ count: number; bytes: number }[]>`
      select count(*)::int, pg_total_relation_size('publication')::float as bytes from publication`
    points.push(size!)
    await made.sql.end()
  }
  console.table({ 'a published price row': bytesEach(points as [Point, Point, Point]) })
}

/** Deliveries of 1,000 webhooks that succeed at once: matched, claimed, attempted and recorded by the product's code. */
async function deliveries(): Promise<void> {
  const tenants = await createTenants(sql, { workspaces: 50, webhooksEach: 20 }, (path) => `https://127.0.0.1${path}`)
  const points: Point[] = [await sizeNow()]
  for (const part of [1, 2, 3]) {
    await publishChanges(sql, DELIVERIES! / 3 / tenants.webhooks.size)
    await matchAll()
    await attemptAll()
    if (part !== 2) points.push(await sizeNow())
  }
  console.table({ 'a delivery that succeeded at once, with its event': bytesEach(points as [Point, Point, Point]) })
  console.table(await tables(sql))
  await unsubscribeAll()
}

async function matchAll(): Promise<void> {
  while ((await matchEvents(sql, { now: instantOf(Date.now()) })).events > 0);
}

async function attemptAll(): Promise<void> {
  const post = async () => LIKELY_ANSWER
  for (;;) {
    const due = await sql<{ id: string }[]>`
      select delivery_id as id from delivery where status = 'pending' and claimed_at is null limit ${BATCH}`
    if (due.length === 0) return
    const now = instantOf(Date.now())
    const round = { roundId: '0197a8a0-0000-7000-8000-000000000001', now }
    const claimed = await claimDeliveries(
      sql,
      round,
      due.map(({ id }) => id),
    )
    const lane = async () => {
      for (let next = claimed.pop(); next; next = claimed.pop()) {
        const key = { deliveryId: next.deliveryId, ...next.grant }
        await attemptDelivery({ sql, post, secretKey: TEST_KEY }, key, now)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }
}

async function sizeNow(): Promise<Point> {
  await vacuum(sql)
  const [row] = await sql<Point[]>`
    select (select count(*)::int from delivery) as count,
           (select sum(pg_total_relation_size(c.oid))::float from pg_class c
            where relname in ('delivery', 'attempt', 'event')) as bytes`
  return row!
}

/** Workflows of deliveries in Temporal's own databases: those that succeeded are closed, those that failed are open. */
async function workflows(kind: Kind): Promise<void> {
  const tenants = await createTenants(sql, { workspaces: 10, webhooksEach: 20 }, receivers.urlOf, kind)
  receivers.know(tenants)
  const points: Point[] = [await temporalSize(0)]
  for (const part of [1, 2]) {
    await publishChanges(sql, WORKFLOWS! / 2 / tenants.webhooks.size)
    await untilAttempted(tenants)
    points.push(await temporalSize((part * WORKFLOWS!) / 2))
  }
  const [any] = await sql<{ id: string }[]>`select delivery_id as id from delivery order by created_at desc limit 1`
  const described = await client.workflow.getHandle(`delivery/price.changed/${any!.id}`).describe()
  say(`The history of one has ${described.historyLength} events and ${described.historySize} bytes.`)
  const what =
    kind === 'fast' ? 'a workflow of a delivery that succeeded (closed)' : 'one that waits for a retry (open)'
  console.table({ [what]: bytesEach(points as [Point, Point, Point]) })
  for (const pool of stores) console.table(await tables(pool))
  await unsubscribeAll()
}

/** What is published from now on is for other webhooks. */
async function unsubscribeAll(): Promise<void> {
  await sql`update webhook_version set valid_to = now() where valid_to is null`
}

async function untilAttempted({ webhooks }: Tenants): Promise<void> {
  const ids = [...webhooks.values()].map(({ id }) => id)
  for (let check = 1; ; check++) {
    await client.workflow.execute('check', { taskQueue: CHECKS_QUEUE, workflowId: `size/${ids[0]}/${check}` })
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int from delivery
      where webhook_id = any(${ids}::uuid[]) and status = 'pending' and attempts = 0`
    if (left!.count === 0) return
  }
}

async function temporalSize(count: number): Promise<Point> {
  await sleep(5_000) // visibility is written behind
  let bytes = 0
  for (const pool of stores) {
    await vacuum(pool)
    const [row] = await pool<{ bytes: number }[]>`select pg_database_size(current_database())::float as bytes`
    bytes += row!.bytes
  }
  return { count, bytes }
}

async function vacuum(pool: Sql): Promise<void> {
  const one = await pool.reserve()
  await one`set statement_timeout = 0`
  await one.unsafe('vacuum analyze')
  await one`reset statement_timeout`
  one.release()
}

/** The tables of a database that take a megabyte or more, with their indexes. */
async function tables(pool: Sql): Promise<Record<string, { MB: number; rows: number }>> {
  const rows = await pool<{ name: string; mb: number; rows: number }[]>`
    select relname as name, round(pg_total_relation_size(oid) / 1e6, 1)::float as mb, reltuples::float as rows
    from pg_class where relkind = 'r' and pg_total_relation_size(oid) > 1e6 order by 2 desc limit 14`
  return Object.fromEntries(rows.map(({ name, mb, rows }) => [name, { MB: mb, rows }]))
}
