import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { findDueShards } from '../../../src/webhooks/rounds/find-due-shards.ts'
import { loadDue } from '../../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addDeliveries, addWebhook } from '../../support/webhooks/deliveries.ts'

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

/** Webhooks with a delivery each. */
const addCrowd = async (count: number, dueAt: Instant) => sql`
  with made as (
    insert into webhook (workspace_id, name, url, created_at, updated_at)
    select workspace_id, name, url, created_at, updated_at
    from (select * from webhook limit 1), generate_series(1, ${count}::integer)
    returning webhook_id, workspace_id)
  insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
  select webhook_id, workspace_id, event_id, ${dueAt}, ${DUE.at}
  from made, (select event_id from event limit 1)`

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
    await addCrowd(1_000, DUE.at)
    const before = await rowsRead()
    expect((await loadDue(sql, ROUND)).length).toBeGreaterThan(1_000)
    expect((await rowsRead()) - before).toBeLessThan(10_000)
    // A kept plan compares them with all webhooks in memory, which these counts do not show.
    const kept = await sql`select from pg_prepared_statements where statement ~ 'with recursive [w]aiting'`
    expect(kept).toHaveLength(0)
  })

  it('by a check that looks for shards, of which most wait for retries', async () => {
    await addCrowd(1_000, plus(AT, 300_000))
    const before = await rowsRead()
    expect((await findDueShards(sql, AT, 16)).shards.length).toBeGreaterThan(0)
    expect((await rowsRead()) - before).toBeLessThan(10_000)
  })
})
