/**
 * Delivers with the settings that tables have and with others, side by side: see README.md.
 * usage: node --import tsx bench/durability/vacuum.ts [deliveries in the log, 500000 by default] [rounds] [file.sql]
 * The file holds settings that are tried.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from '../../ops/run.ts'
import { startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { DAY, plus } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { deleteOldDeliveries } from '../../src/webhooks/retention/delete-old-deliveries.ts'
import { deleteOldEvents } from '../../src/webhooks/retention/delete-old-events.ts'
import { addHooks, deliverAll, drawMany, fillLog, now } from './churn.ts'
import { partitionsBeside } from './partitions.ts'

const TABLES = ['delivery', 'attempt', 'event', 'webhook', 'rate_bucket']
const EACH = 400
const REQUESTS = 20_000
const DELETED_AT_ONCE = 1_000
/** Of 30 days in the log: what one run of retention deletes. */
const DELETED_DAYS = 1

const [log = '500000', rounds = '5', tried] = process.argv.slice(2)
const VARIANTS: Record<string, string> = {
  'as migrated': '',
  ...(tried && { [tried]: await readFile(tried, 'utf8') }),
}

const root = await mkdtemp('/var/tmp/pricetape-vacuum-')
await chmod(root, 0o755)
const server = await startPostgres({
  folder: `${root}/postgres`,
  password: 'vacuum',
  logFile: `${root}/postgres.log`,
  // A day of deliveries passes in minutes, so autovacuum looks more often than every minute.
  settings: ['autovacuum_naptime=5s'],
  attributes: 'superuser',
  progress: silent,
})
const base = server.url.replace(/\/[^/]*$/, '')
try {
  for (const [n, [name, settings]] of Object.entries(VARIANTS).entries()) {
    const admin = connect(`${base}/postgres`, { max: 1 })
    await admin.unsafe(`create database variant_${n}`)
    await admin.end()
    const sql = connect(`${base}/variant_${n}`, { max: 8 })
    await migrate(sql)
    if (settings) await sql.unsafe(settings)
    const slow = connect(`${base}/variant_${n}`, { max: 1 })
    await slow`set statement_timeout = 0`
    say(`${name}, load ${loadavg()[0]?.toFixed(1)}\n${JSON.stringify(await measure(sql, slow), undefined, 1)}`)
    if (n === 0) say(`Partitions\n${JSON.stringify(await partitionsBeside(slow), undefined, 1)}`)
    await Promise.all([sql, slow].map((pool) => pool.end({ timeout: 1 })))
  }
} finally {
  await server.stop()
  await rm(root, { recursive: true, force: true })
}

/** @param slow has no time limit */
async function measure(sql: Sql, slow: Sql) {
  const hooks = await addHooks(sql)
  await fillLog(slow, hooks, Number(log))
  await sql`select pg_stat_reset()`
  const before = await sizes(sql)
  const found = []
  for (let n = 0; n < Number(rounds); n++) {
    const { load, took } = await deliverAll(sql, hooks, EACH)
    found.push({ perDeliveryMs: round(took / (EACH * hooks.length)), loadDueMs: round(Math.max(...load)) })
  }
  await drawMany(sql, REQUESTS)
  await sleep(8_000)
  const rows = await statistics(sql)
  const after = await sizes(sql)
  const deleted = await deleteDays(sql)
  const vacuumSeconds = await vacuumAll(slow)
  await deliverAll(sql, hooks, EACH)
  const megabytes = { before, after, 'into the room that deleting left': await sizes(sql) }
  return { rounds: found, tables: rows, deleted, vacuumSeconds, megabytes }
}

/** How long vacuum takes over each table after a day was deleted. */
async function vacuumAll(slow: Sql): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {}
  for (const table of TABLES) {
    const from = performance.now()
    await slow.unsafe(`vacuum ${table}`)
    seconds[table] = round((performance.now() - from) / 1_000)
  }
  return seconds
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

async function sizes(sql: Sql): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; heap: number; indexes: number }[]>`
    select relname as name, pg_table_size(oid)::float8 as heap, pg_indexes_size(oid)::float8 as indexes
    from pg_class where relname = any (${TABLES}) order by relname`
  return Object.fromEntries(rows.map((row) => [row.name, `${round(row.heap / 1e6)} + ${round(row.indexes / 1e6)}`]))
}

function statistics(sql: Sql) {
  return sql`
    select relname as table, n_tup_upd::int as updated, n_tup_hot_upd::int as hot, n_live_tup::int as live,
           n_dead_tup::int as dead, autovacuum_count::int as vacuums
    from pg_stat_user_tables where relname = any (${TABLES}) order by relname`
}

/** Deletes the oldest day of the log as retention does, and returns how long one batch takes. */
async function deleteDays(sql: Sql) {
  const at = plus(now(), DELETED_DAYS * DAY)
  const took: number[] = []
  let rows = 0
  for (let done = DELETED_AT_ONCE; done === DELETED_AT_ONCE; rows += done) {
    const from = performance.now()
    done = await deleteOldDeliveries(sql, at, DELETED_AT_ONCE)
    took.push(performance.now() - from)
  }
  const from = performance.now()
  for (let done = DELETED_AT_ONCE; done === DELETED_AT_ONCE; ) done = await deleteOldEvents(sql, at, DELETED_AT_ONCE)
  const sum = took.reduce((a, b) => a + b, 0)
  return {
    deliveries: rows,
    seconds: round(sum / 1_000),
    longestBatchMs: round(Math.max(...took)),
    eventsSeconds: round((performance.now() - from) / 1_000),
  }
}
