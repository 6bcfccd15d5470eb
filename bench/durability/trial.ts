import { mkdtemp, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { fillDatabase } from '../history/data.ts'
import { startReceiver } from '../topology/traffic.ts'
import { startInstallation } from './installation.ts'
import { judgeDeliveries, judgeOrphans } from './judge.ts'
import { startLoad } from './load.ts'
import { backUp, type Method } from './methods.ts'
import { publishAfter, publishBefore, readAgain } from './reads.ts'
import { loseServer, makeFolder, startServer } from './server.ts'

const BEFORE_MS = 12_000
const REFUSING_MS = 1_500
const AFTER_MS = 25_000
const WITHIN_MS = 5 * 60_000

export type Trial = { method: Method; rows: number; temporal: 'kept' | 'empty'; toInstant?: boolean }
const seconds = (from: number, to = Date.now()) => Math.round((to - from) / 100) / 10

/** Runs an installation under load, backs it up, loses the database with its disk, restores, and judges. */
export async function runTrial(trial: Trial, code: string) {
  const root = await mkdtemp('/var/tmp/pricetape-durability-')
  await makeFolder(root)
  const server = await startServer(root, 'first')
  const sql = connect(server.url, { max: 4, name: 'trial' })
  await fillDatabase(sql, trial.rows)
  const installation = await startInstallation(root, code, server.url)
  const receiver = await startReceiver()
  const { key, asOf } = await publishBefore(sql)
  const load = await startLoad(sql, receiver.url)
  /** What is made in this time waits for its retry, in Temporal. */
  const refuseAWhile = async () => {
    receiver.state.refusesFirst = true
    await sleep(REFUSING_MS)
    receiver.state.refusesFirst = false
  }
  await refuseAWhile()
  await sleep(BEFORE_MS)

  const [{ size }] = await sql<[{ size: number }]>`select pg_database_size(current_database())::float8 as size`
  const began = Date.now()
  const backup = await backUp(trial.method, server, root)
  const backupSeconds = seconds(began)
  await sleep(BEFORE_MS)
  const until = trial.toInstant ? new Date() : undefined
  await sleep(1_000)
  const kept = await publishAfter(sql, installation.url, key, asOf)
  await refuseAWhile()
  await sleep(AFTER_MS)

  const lostAt = await loseServer(server)
  await load.stop()
  await backup.stop()
  await sql.end({ timeout: 1 })
  const restoring = Date.now()
  const restored = await backup.restore(until)
  const databaseSeconds = seconds(restoring)
  if (trial.temporal === 'empty') await installation.emptyTemporal()
  const firstPost = receiver.posts.length
  const moving = installation.moveTo(restored.url)
  const readsSeconds = seconds(restoring, await firstRead(installation.url, key))
  await moving
  const fresh = connect(restored.url, { max: 4, name: 'trial' })
  const more = await startLoad(fresh, receiver.url)
  while (receiver.posts.length === firstPost) await sleep(50)
  const deliveriesSeconds = seconds(restoring, receiver.posts[firstPost]!.at)
  const reads = await readAgain(installation.url, key, kept)
  await more.stop()
  await untilDelivered(fresh)
  const deliveries = await judgeDeliveries(fresh, receiver, load.confirmed, lostAt)
  const { client, close } = await installation.client()
  const workflows = await judgeOrphans(client)
  await close()
  const timelines = await fresh`select reason, lost_after, lost_until from history_timeline order by timeline`
  await fresh.end({ timeout: 1 })
  await installation.stop()
  await restored.stop()
  receiver.close()
  await rm(root, { recursive: true, force: true })
  const megabytes = Math.round(size / 1e6)
  const took = { backup: backupSeconds, database: databaseSeconds, reads: readsSeconds, deliveries: deliveriesSeconds }
  return { ...trial, megabytes, seconds: took, deliveries, workflows, reads, timelines }
}

async function firstRead(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const answer = await fetch(`${url}/v1/providers`, { headers }).catch(() => undefined)
    if (answer?.ok) return Date.now()
    await sleep(50)
  }
}

/** Waits until every delivery has ended. Retries are not waited for. */
async function untilDelivered(sql: Sql): Promise<void> {
  for (const until = Date.now() + WITHIN_MS; ; await sleep(1_000)) {
    await sql`update delivery set due_at = now() where status = 'pending' and due_at > now()`
    const [row] = await sql`select count(*)::int as left from delivery where status = 'pending'`
    if (row?.left === 0) return
    if (Date.now() > until) throw new Error(`${row?.left} deliveries were not made`)
  }
}
