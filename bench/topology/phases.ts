import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { Sql } from '../../src/lib/sql.ts'
import type { Installation } from './installation.ts'
import { judge } from './judge.ts'
import { longestGap, type Reading, type Receiver } from './traffic.ts'

const WAVE = 100
const UNDER_WAY = 15
const ROLLED = 200
const WITHIN_MS = 10 * 60_000

export type Trial = {
  sql: Sql
  client: Client
  installation: Installation
  receiver: Receiver
  reading: Reading
  add: (count: number) => Promise<void>
}
/** What is killed. */
export type Victim = { name: string; kill: () => unknown }

/** Waits until every delivery has ended. Retries of attempts whose worker died are not waited for. */
async function untilDelivered(sql: Sql, { hurry }: { hurry: boolean }): Promise<void> {
  const until = Date.now() + WITHIN_MS
  for (;;) {
    if (hurry) await sql`update delivery set due_at = now() where status = 'pending' and due_at > now()`.catch(() => {})
    const [row] = await sql`select count(*)::int as left from delivery where status = 'pending'`.catch(() => [])
    if (row?.left === 0) return
    if (Date.now() > until) throw new Error(`${row?.left ?? '?'} deliveries were not made`)
    await sleep(1_000)
  }
}

/**
 * Replaces every process by the next version while deliveries wait for the retry of a failed first attempt, five minutes
 * later, and while others are sent.
 */
export async function rollingUpdate(trial: Trial, older: string, newer: string, databaseUrl: string) {
  const { sql, client, installation, receiver, reading, add } = trial
  receiver.state.refusesFirst = true
  const began = Date.now()
  await add(ROLLED)
  while (receiver.posts.length < ROLLED) await sleep(200)
  const waiting = Date.now()
  await installation.migrate(newer, databaseUrl)
  const replaced: Record<string, number> = {}
  for (const item of installation.processes) {
    await add(10)
    const from = Date.now()
    await item.service.replace(installation.commandOf(item, newer, databaseUrl))
    replaced[item.service.name] = Math.round((Date.now() - from) / 100) / 10
  }
  const rolled = Date.now()
  // A worker of the older version comes back for a moment, as after a machine's restart in the middle of an update.
  const last = installation.processes.at(-1)!
  await last.service.replace(installation.commandOf(last, older, databaseUrl))
  const schedule = await client.schedule.getHandle('check').describe()
  await last.service.replace(installation.commandOf(last, newer, databaseUrl))
  await untilDelivered(sql, { hurry: false })
  const pools = await sql<{ name: string; connections: number }[]>`
    select application_name as name, count(*)::int as connections from pg_stat_activity
    where application_name like 'pricetape-%' group by 1 order by 1`
  receiver.state.refusesFirst = false
  return {
    secondsToReplace: replaced,
    retriesWaitedFromTo: [0, Math.round((rolled - waiting) / 1_000)],
    secondsInAll: Math.round((Date.now() - began) / 1_000),
    scheduleVersion: schedule.action.memo?.version,
    pools: Object.fromEntries(pools.map(({ name, connections }) => [name, connections])),
    failedReads: reading.reads.failed.splice(0),
    ...(await judge(sql, receiver)),
  }
}

/** Kills one process while a round sends, and sends more at once. */
export async function killOne(
  { sql, receiver, reading, add }: Pick<Trial, 'sql' | 'receiver' | 'reading' | 'add'>,
  { name, kill }: Victim,
) {
  const first = receiver.posts.length
  await add(WAVE)
  while (receiver.posts.length < first + UNDER_WAY) await sleep(50)
  const killedAt = Date.now()
  await kill()
  await untilAnswered(() => add(WAVE))
  const addedAt = Date.now()
  await untilDelivered(sql, { hurry: true })
  const over = Date.now()
  const moments = receiver.posts.map(({ at }) => at)
  return {
    killed: name,
    longestPauseOfDeliveries: longestGap(moments, killedAt, Math.max(...moments)),
    longestPauseOfReads: longestGap(reading.reads.good, killedAt, over),
    databaseBackAfter: Math.round((addedAt - killedAt) / 100) / 10,
    secondsUntilAllDelivered: Math.round((over - killedAt) / 100) / 10,
    failedReads: reading.reads.failed.splice(0).length,
  }
}

async function untilAnswered(work: () => Promise<void>): Promise<void> {
  while (
    !(await work().then(
      () => true,
      () => false,
    ))
  )
    await sleep(100)
}

/** Sends and reads with every process behind a connection pooler. */
export async function throughPooler(trial: Trial, code: string, pooledUrl: string) {
  const { sql, installation, receiver, reading, add } = trial
  for (const item of installation.processes) await item.service.replace(installation.commandOf(item, code, pooledUrl))
  reading.reads.failed.splice(0)
  for (const { service } of installation.processes) service.lines.splice(0)
  const from = Date.now()
  const before = reading.reads.good.length
  await add(WAVE)
  await add(WAVE)
  await untilDelivered(sql, { hurry: false })
  return {
    seconds: Math.round((Date.now() - from) / 1_000),
    reads: reading.reads.good.length - before,
    failedReads: reading.reads.failed.splice(0),
    logged: installation.processes.flatMap(({ service }) => service.lines).slice(0, 10),
    ...(await judge(sql, receiver)),
  }
}
