/**
 * What deliveries, workflows and price rows take in the databases, each between sizes that double: see README.md.
 * usage: node --import tsx bench/load/size/size.ts [deliveries] [workflows] [price rows]
 * 0 leaves a part out.
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { say } from '../../../ops/run.ts'
import { instantOf } from '../../../src/lib/instant.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { attemptDelivery } from '../../../src/webhooks/attempts/attempt-delivery.ts'
import { matchEvents } from '../../../src/webhooks/matching/match-events.ts'
import { claimDeliveries } from '../../../src/webhooks/rounds/round-store.ts'
import { CHECKS_QUEUE } from '../../../src/webhooks/workflow-schema.ts'
import { TEST_KEY } from '../../../test/support/webhooks/deliveries.ts'
import { databaseOf } from '../../history/data.ts'
import { setUp } from '../set-up.ts'
import { createTenants, type Kind, publishChanges, type Tenants } from '../tenants.ts'
import { bytesEach, type Point } from './size-rules.ts'

const [DELIVERIES, WORKFLOWS, ROWS] = [2, 3, 4].map((at) =>
  Number(process.argv[at] ?? [64_000, 6_400, 300_000][at - 2]),
) as [number, number, number]
/** Vacuum runs after each step, so that as much room as one step's updates leave is free at every size. */
const STEPS = 8
const MEASURED = [1, 2, 4, 8]
const AT_ONCE = 10
const BATCH = 500
const LIKELY_ANSWER = { kind: 'answer', status: 200, response: '{"ok":true}', durationMs: 120 } as const

const { receivers, installation, sql, stop } = await setUp({
  name: 'size',
  workers: 1,
  temporal: 'postgres',
  checkSeconds: 300,
  paused: true,
  pool: AT_ONCE + 2,
})
const store = installation.temporal.store!.url.replace(/[^/]*$/, '')
const stores = ['temporal', 'temporal_visibility'].map((name) => connect(store + name, { max: 1, name: 'size' }))
const connection = await Connection.connect({ address: installation.temporal.address })
const client = new Client({ connection })
try {
  await vacuum(sql)
  const [real] = await sql<{ count: number }[]>`select count(*)::int from publication`
  say(`Real history of ${real!.count} price rows, by table and index in bytes:`)
  console.table(largest(await sizes(sql)))
  if (ROWS > 0) await priceRows()
  if (DELIVERIES > 0) await deliveries()
  // Open ones are a quarter: they have to be made before the first retry is due, after five minutes.
  if (WORKFLOWS > 0) for (const kind of ['fast', 'error'] as const) await workflows(kind)
  say(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await Promise.all(stores.map((pool) => pool.end()))
  await connection.close()
  await stop()
}

/** The history multiplied, in databases of their own. */
async function priceRows(): Promise<void> {
  const points: Point[] = [{ count: 0, bytes: {} }]
  for (const rows of [ROWS / 3, ROWS]) {
    const made = await databaseOf(installation.database.url.replace(/\/[^/]*$/, ''), rows)
    const [row] = await made.sql<{ count: number }[]>`select count(*)::int from publication`
    points.push({ count: row!.count, bytes: await sizes(made.sql, ['publication']) })
    await made.sql.end()
  }
  say('A published price row:')
  console.table(bytesEach(points))
}

/** Deliveries of 1,000 webhooks that succeed at once: matched, claimed, attempted and recorded by the product's code. */
async function deliveries(): Promise<void> {
  const tenants = await createTenants(sql, { workspaces: 50, webhooksEach: 20 }, (path) => `https://127.0.0.1${path}`)
  const measured = async (count: number) => ({ count, bytes: await sizes(sql, ['delivery', 'attempt', 'event']) })
  await vacuum(sql)
  const points: Point[] = [await measured(0)]
  for (let step = 1; step <= STEPS; step++) {
    await publishChanges(sql, DELIVERIES / STEPS / tenants.webhooks.size)
    await matchAll()
    await attemptAll()
    await vacuum(sql)
    if (MEASURED.includes(step)) points.push(await measured((DELIVERIES * step) / STEPS))
  }
  say('A delivery that succeeded at once, with its attempt and its share of the event:')
  console.table(bytesEach(points))
  await unsubscribeAll()
}

async function matchAll(): Promise<void> {
  while (await matchEvents(sql, { now: instantOf(Date.now()) }));
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

/** Workflows of deliveries in Temporal's own databases: those that succeeded are closed, those that failed are open. */
async function workflows(kind: Kind): Promise<void> {
  const tenants = await createTenants(sql, { workspaces: 10, webhooksEach: 20 }, receivers.urlOf, kind)
  receivers.know(tenants)
  // What the kind before left free would hold these.
  for (const pool of stores) await vacuum(pool, 'full')
  const count = kind === 'fast' ? WORKFLOWS : WORKFLOWS / 4
  const points: Point[] = [{ count: 0, bytes: await temporalSizes() }]
  for (let step = 1; step <= STEPS; step++) {
    await publishChanges(sql, count / STEPS / tenants.webhooks.size)
    await untilAttempted(tenants)
    const bytes = await temporalSizes()
    if (MEASURED.includes(step)) points.push({ count: (count * step) / STEPS, bytes })
  }
  const [any] = await sql<{ id: string }[]>`select delivery_id as id from delivery order by created_at desc limit 1`
  const described = await client.workflow.getHandle(`delivery/price.changed/${any!.id}`).describe()
  say(kind === 'fast' ? 'A workflow of a delivery that succeeded (closed):' : 'One that waits for a retry (open):')
  console.table(bytesEach(points))
  say(`The history of one has ${described.historyLength} events and ${described.historySize} bytes.`)
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

/** Both databases, without their indexes' names: the visibility table has 50. */
async function temporalSizes(): Promise<Record<string, number>> {
  await sleep(3_000) // visibility is written behind
  const all: Record<string, number> = {}
  for (const pool of stores) {
    await vacuum(pool)
    for (const [name, bytes] of Object.entries(await sizes(pool))) {
      const short = name.replace(/ .*/, name.includes(' ') ? ': indexes' : '')
      all[short] = (all[short] ?? 0) + bytes
    }
  }
  return all
}

async function vacuum(pool: Sql, how: 'analyze' | 'full' = 'analyze'): Promise<void> {
  const one = await pool.reserve()
  await one`set statement_timeout = 0`
  await one.unsafe(`vacuum (${how})`)
  await one`reset statement_timeout`
  one.release()
}

/** The bytes of each table, and of each index under its table's name and its own. Of these tables, or of all. */
async function sizes(pool: Sql, tables?: string[]): Promise<Record<string, number>> {
  const rows = await pool<{ name: string; bytes: number }[]>`
    select case when i.indexrelid is null then c.relname else t.relname || ' ' || c.relname end as name,
           pg_table_size(c.oid)::float as bytes
    from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class t on t.oid = i.indrelid
    where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace
      and (${tables ?? null}::text[] is null or coalesce(t.relname, c.relname) = any (${tables ?? null}::text[]))`
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}

function largest(all: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(all)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 16),
  )
}
