import { describe, expect, it } from 'vitest'
import { instantOf, plus } from '../../src/lib/instant.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { deleteDeliveriesBefore } from '../../src/webhooks/retention/retention-store.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import { noteNamespace, releaseClaims, takeWaiting } from '../../src/webhooks/rounds/reconcile-store.ts'
import { claimDeliveries, finishedAttempts, loadDue } from '../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { operator } from '../support/webhooks/subscriptions.ts'

const ALL = 20_000

/**
 * A vacuum that ran while a large publication was being written leaves statistics that call the tables empty. Plans
 * that compared all deliveries with all others took more than a minute, the limit of a statement.
 */
describe('where PostgreSQL takes the tables for empty', () => {
  const db = testDatabase({ plansEachTime: true })

  async function dueDeliveries() {
    const now = instantOf(Date.now())
    const hook = await addWebhook(db.sql, { url: 'https://receiver.example/prices', at: plus(now, -1_000) })
    const ids = await addDeliveries(db.sql, hook, { count: ALL, at: plus(now, -1_000) })
    for (const table of ['event', 'delivery', 'attempt', 'webhook', 'workspace'])
      await db.sql`
        select pg_restore_relation_stats('schemaname', current_schema()::text, 'relname', ${table}::text,
                                         'reltuples', 0::real, 'relpages', 300)`
    return { hook, ids, now }
  }

  it('a round claims what is due, and gives it back', async () => {
    const { ids, now } = await dueDeliveries()
    const due = await loadDue(db.sql, { roundId: 'round', now })
    expect(due).toHaveLength(500)
    const claimed = await claimDeliveries(db.sql, { roundId: 'round', now }, ids.slice(0, 64))
    expect(claimed.map((delivery) => delivery.deliveryId).sort()).toEqual(ids.slice(0, 64).sort())
    expect(await finishedAttempts(db.sql, ids)).toHaveLength(ALL - 64)
    await db.sql`update delivery set claimed_at = ${now} where claimed_at is null`
    expect(await releaseClaims(db.sql, plus(now, 1))).toBe(ALL)
    await db.sql`delete from webhook`
  })

  it('deliveries that wait are given workflows', async () => {
    const { now } = await dueDeliveries()
    await db.sql`update delivery set attempts = 1, due_at = ${plus(now, 300_000)}, started_cycle = cycle`
    await noteNamespace(db.sql, 'first')
    expect(await noteNamespace(db.sql, 'second')).toBe(true)
    expect(await takeWaiting(db.sql, now, 500)).toHaveLength(500)
    await db.sql`delete from webhook`
  })

  it('a paused webhook fails what is due, resends it, and its log is emptied', async () => {
    const { hook, now } = await dueDeliveries()
    await db.sql`update delivery set started_cycle = cycle`
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    expect(await failPausedDue(db.sql, now)).toBe(ALL)
    expect(await resumeAndResend(operator(db.sql), hook)).toMatchObject({ resent: 1_000 })
    await db.sql`update delivery set status = 'succeeded', not_sent = null, resent_at = null, finished_at = ${now}`
    expect(await deleteDeliveriesBefore(db.sql, plus(now, 1), 500)).toBe(500)
    await db.sql`delete from webhook`
  })
})
