import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { instantOf } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { addDeliveries, addWebhook } from '../../test/support/deliveries.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { startInstallation } from './installation.ts'
import { historyAt, keepReading } from './reader.ts'

const PARTS = ['worker', 'api', 'temporal', 'postgres', 'store'] as const
export type Part = (typeof PARTS)[number]

const MAX_WAITING = 200
const STUCK_AFTER_MS = 90_000

type Chaos = {
  temporalBinary: string
  seconds: number
  /** What is killed, in turn; else at random for as long as there is time. */
  plan?: Part[]
  say?: (line: string) => void
}
export type Agreement = {
  deliveries: number
  requests: number
  reads: number
  kills: Record<Part, number>
  disagreements: string[]
}

/**
 * Kills parts of an installation while it delivers, then lets it come to rest and compares the receiver's log with
 * ours. Waits of the ladder are cut short, so that all six rungs are used.
 */
export async function chaos({ temporalBinary, seconds, plan, say = () => {} }: Chaos): Promise<Agreement> {
  const installation = await startInstallation(temporalBinary)
  const receiver = await startReceiver({ answer: () => ({ status: Math.random() < 0.7 ? 200 : 500, delayMs: 20 }) })
  const answered = new Map<string, number[]>()
  receiver.answer((request) => {
    const status = Math.random() < 0.7 ? 200 : 500
    const id = String(request.headers['webhook-id'])
    answered.set(id, [...(answered.get(id) ?? []), status])
    return { status, delayMs: Math.random() * 100 }
  })
  const sql = connect(installation.url, { max: 4 })
  const kills: Record<Part, number> = { worker: 0, api: 0, temporal: 0, postgres: 0, store: 0 }
  const begun = Date.now()
  let over = false
  try {
    await insisting(() => migrate(sql))
    const reading = keepReading(await historyAt(sql, installation.apiUrl), () => over)
    const hooks = []
    for (let n = 0; n < 10; n++) hooks.push(await addWebhook(sql, { url: receiver.url, at: instantOf(begun) }))
    const checking = keepChecking(installation, () => over)
    while (Date.now() - begun < seconds * 1000) {
      await addWork(sql, hooks).catch(() => {})
      await cutWaits(sql).catch(() => {})
      await sleep(500 + Math.random() * 1_500)
      const part = plan ? plan.shift() : PARTS[Math.floor(Math.random() ** 2 * PARTS.length)]!
      if (!part) continue
      say(`${Math.round((Date.now() - begun) / 1000)} s: killing ${part}`)
      await installation.kill(part)
      kills[part]++
    }
    say('coming to rest')
    const left = await restOf(sql)
    over = true
    await Promise.all([checking, reading.done])
    const disagreements = left > 0 ? [`${left} deliveries did not come to an end`] : []
    disagreements.push(...reading.found.differing, ...(await disagreementsOf(sql, answered)))
    const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from delivery`
    return {
      deliveries: row!.count,
      requests: receiver.requests.length,
      reads: reading.found.answers,
      kills,
      disagreements,
    }
  } finally {
    over = true
    await sql.end({ timeout: 2 })
    await receiver.close()
    await installation.stop()
  }
}

/** Two more deliveries for each webhook, unless the kills let too little be done about those that wait. */
async function addWork(sql: Sql, hooks: { workspaceId: string; id: string }[]): Promise<void> {
  if ((await pending(sql)) > MAX_WAITING) return
  for (const hook of hooks) await addDeliveries(sql, hook, { count: 2, at: instantOf(Date.now()) })
}

async function pending(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from delivery where status = 'pending'`
  return row!.count
}

/** A check every second, by hand: the Schedule would be gone with Temporal's store. */
async function keepChecking(installation: { address: string }, over: () => boolean): Promise<void> {
  while (!over()) {
    try {
      const connection = await Connection.connect({ address: installation.address, connectTimeout: 2_000 })
      try {
        const client = new Client({ connection })
        while (!over()) {
          const handle = await client.workflow.start('check', {
            taskQueue: 'checks',
            workflowId: `check/${randomUUID()}`,
            workflowRunTimeout: '20s',
          })
          await Promise.race([handle.result(), sleep(20_000, undefined, { ref: false })])
          await sleep(500)
        }
      } finally {
        await connection.close()
      }
    } catch {
      await sleep(500)
    }
  }
}

/** Makes every retry due now, and every claim of a while ago lost: nobody waits an hour for this test. */
async function cutWaits(sql: Sql): Promise<void> {
  await sql`update delivery set due_at = clock_timestamp() where status = 'pending' and due_at > clock_timestamp()`
  await sql`
    update delivery set claimed_at = claimed_at - interval '1 minute'
    where claimed_at between clock_timestamp() - interval '1 minute' and clock_timestamp() - interval '15 seconds'`
}

/** Waits until nothing is pending, as long as something is being done about it. Answers how many are left. */
async function restOf(sql: Sql): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  let since = Date.now()
  for (;;) {
    await sleep(500)
    const left = await insisting(async () => {
      await cutWaits(sql)
      return pending(sql)
    })
    if (left < fewest) {
      fewest = left
      since = Date.now()
    }
    if (left === 0 || Date.now() - since > STUCK_AFTER_MS) return left
  }
}

/** What the receiver saw, delivery by delivery, against what our log says. */
async function disagreementsOf(sql: Sql, answered: Map<string, number[]>): Promise<string[]> {
  const rows = await sql<{ eventId: string; status: string; outcomes: string[]; statuses: (number | null)[] }[]>`
    select d.event_id as "eventId", d.status, array_agg(a.outcome order by a.number, a.run) as outcomes,
           array_agg(a.status order by a.number, a.run) as statuses
    from delivery d left join attempt a using (delivery_id) group by d.delivery_id`
  const known = new Set(rows.map((row) => row.eventId))
  const wrong = [...answered.keys()].filter((id) => !known.has(id)).map((id) => `${id}: nobody sent that`)
  for (const row of rows) {
    const seen = answered.get(row.eventId) ?? []
    const count = (outcome: string) => row.outcomes.filter((one) => one === outcome).length
    const say = (what: string) => wrong.push(`${row.eventId} (${row.outcomes.join(', ')}; receiver ${seen}): ${what}`)
    const counted = row.outcomes.filter((outcome) => outcome !== 'platform').length
    if (counted > 6) say('more than six attempts')
    if (row.status === 'succeeded' && !seen.includes(200)) say('succeeded, but the receiver never said so')
    if (row.status === 'failed' && counted !== 6) say('failed before the ladder ended')
    if (seen.length > row.outcomes.length) say('the receiver saw more than we attempted')
    const known200 = row.statuses.filter((status) => status === 200).length
    const known500 = row.statuses.filter((status) => status === 500).length
    const unsure = count('unknown')
    const saw = (status: number) => seen.filter((one) => one === status).length
    if (saw(200) < known200 || saw(200) > known200 + unsure) say('successes differ')
    if (saw(500) < known500 || saw(500) > known500 + unsure) say('failures differ')
  }
  return wrong
}

async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 60) throw error
      await sleep(500)
    }
  }
}
