import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { findDueShards } from '../../../src/webhooks/rounds/find-due-shards.ts'
import { loadDue } from '../../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addCrowd, addDeliveries, addWebhook } from '../../support/webhooks/deliveries.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const DUE = { url: 'https://receiver.example/prices', at: plus(AT, -1_000) }
const ROUND = { roundId: 'round', now: AT }
const db = testDatabase({ each: true, plansEachTime: true })
/** One connection, which keeps its plans, and knows what it has read. */
let sql: Sql
beforeEach(() => {
  sql = connect(db.url, { max: 1 })
})
afterEach(() => sql.end())

const rowsRead = async () => {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql`
    select sum(seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_user_tables
    where relname in ('delivery', 'webhook')`
  return row!.rows as number
}
const addSent = async (count: number) => {
  await addDeliveries(sql, await addWebhook(sql, DUE), { at: DUE.at, count })
  await sql`update delivery set status = 'succeeded', due_at = null, finished_at = ${AT}`
}
const addDue = async () => addDeliveries(sql, await addWebhook(sql, DUE), DUE)

/** A thousand webhooks with a delivery each. */
async function addThousand(dueAt: Instant) {
  const [made] = await sql<{ workspaceId: string; eventId: string }[]>`
    select workspace_id as "workspaceId", event_id as "eventId" from workspace, event limit 1`
  const { workspaceId, eventId } = made!
  await addCrowd(sql, { workspaceId, eventIds: [eventId], count: 1_000, at: DUE.at, dueAt })
}

describe.each([
  ['was empty', async () => {}],
  ['held one that was due', addDue],
  ['held 2,000 that were sent', () => addSent(2_000)],
])('what is due is read a few times, not once for each webhook, where the table %s', (_, addBefore) => {
  beforeEach(async () => {
    await addBefore()
    await sql`analyze`
    // PostgreSQL keeps the plan of a prepared statement after five executions.
    for (let times = 0; times < 10; times++) await Promise.all([loadDue(sql, ROUND), findDueShards(sql, AT, 16)])
    await addDue()
  })

  it('by a round', async () => {
    await addThousand(DUE.at)
    const before = await rowsRead()
    expect((await loadDue(sql, ROUND)).length).toBeGreaterThan(1_000)
    expect((await rowsRead()) - before).toBeLessThan(10_000)
    // A kept plan compares them with all webhooks in memory, which these counts do not show.
    const kept = await sql`select from pg_prepared_statements where statement ~ 'with recursive [w]aiting'`
    expect(kept).toHaveLength(0)
  })

  it('by a check that looks for shards, of which most wait for retries', async () => {
    await addThousand(plus(AT, 300_000))
    const before = await rowsRead()
    expect((await findDueShards(sql, AT, 16)).shards.length).toBeGreaterThan(0)
    expect((await rowsRead()) - before).toBeLessThan(10_000)
  })
})
