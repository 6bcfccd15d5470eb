import { describe, expect, it } from 'vitest'
import { HOUR, instantOf, plus } from '../../../src/lib/instant.ts'
import { openAttempt } from '../../../src/webhooks/attempts/attempt-store.ts'
import { deliveryState } from '../../../src/webhooks/attempts/delivery-state-store.ts'
import { closeAttempt, recordFault } from '../../../src/webhooks/attempts/outcome-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addDeliveries, addWebhook } from '../../support/webhooks/deliveries.ts'

const at = instantOf(Math.floor(Date.now() / 1_000) * 1_000 - HOUR)
const db = testDatabase()

async function openedAttempt() {
  const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
  const [deliveryId] = await addDeliveries(db.sql, hook, { at })
  const key = { deliveryId: deliveryId!, cycle: 1, number: 1, run: 1 }
  await openAttempt(db.sql, key, at)
  return key
}
const stored = async ({ deliveryId }: { deliveryId: string }) => {
  const [row] = await db.sql`
    select a.outcome, a.error, a.finished_at as "finishedAt", d.faults from attempt a join delivery d using (delivery_id)
    where delivery_id = ${deliveryId}`
  return row
}
const outcome = (kind: 'failed' | 'platform', text: string) => ({ kind, text, durationMs: 5 })

describe('an attempt', () => {
  it('stays closed when an internal error of it is reported afterwards', async () => {
    const key = await openedAttempt()
    await db.sql.begin((tx) => closeAttempt(tx, key, outcome('failed', 'HTTP 500'), plus(at, 1)))
    await recordFault(db.sql, key, outcome('platform', 'late'), plus(at, 2))
    expect(await stored(key)).toEqual({ outcome: 'failed', error: 'HTTP 500', finishedAt: plus(at, 1), faults: 0 })
  })

  it('is closed by the first report of an internal error alone', async () => {
    const key = await openedAttempt()
    for (const [n, text] of ['first', 'second'].entries())
      await recordFault(db.sql, key, outcome('platform', text), plus(at, n))
    expect(await stored(key)).toEqual({ outcome: 'platform', error: 'first', finishedAt: at, faults: 1 })
    expect(await db.sql.begin((tx) => closeAttempt(tx, key, outcome('failed', 'late'), plus(at, 3)))).toBeUndefined()
  })

  it('is absent from the state of a delivery without attempts', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [deliveryId] = await addDeliveries(db.sql, hook, { at })
    expect(await deliveryState(db.sql, deliveryId!)).toEqual({ status: 'pending', attempts: 0, dueAt: at })
  })
})
