import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { deliveryState } from '../../../src/webhooks/attempts/delivery-state-store.ts'
import { attemptStart } from '../../../src/webhooks/attempts/outcome-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addDeliveries, addWebhook } from '../../support/webhooks/deliveries.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant

describe('what is recorded of attempts', () => {
  const db = testDatabase({ each: true })

  it('belongs to one delivery, one cycle, one number and one run', async () => {
    const webhook = await addWebhook(db.sql, { url: 'https://example.com/', at: AT })
    const [one, other, none] = await addDeliveries(db.sql, webhook, { at: AT, count: 3 })
    // The delivery, its cycle, the attempt's number and run.
    const attempts = [
      [one, 1, 1, 1],
      [one, 1, 2, 1],
      [one, 1, 2, 2],
      [one, 2, 1, 1],
      [other, 1, 3, 1],
      [other, 2, 4, 1],
    ] as const
    for (const [n, [deliveryId, cycle, number, run]] of attempts.entries())
      await db.sql`
        insert into attempt (delivery_id, cycle, number, run, started_at, finished_at, outcome, status, error, duration_ms)
        values (${deliveryId!}, ${cycle}, ${number}, ${run}, ${plus(AT, n)}, ${plus(AT, n)}, 'failed', 500, ${`error ${n}`}, 1)`
    for (const [n, [deliveryId, cycle, number, run]] of attempts.entries())
      expect(await attemptStart(db.sql, { deliveryId: deliveryId!, cycle, number, run })).toBe(plus(AT, n))
    expect(await attemptStart(db.sql, { deliveryId: other!, cycle: 1, number: 1, run: 1 })).toBeUndefined()

    const lastOf = async (deliveryId: string) => (await deliveryState(db.sql, deliveryId)).last
    expect(await lastOf(one!)).toEqual({ number: 2, at: plus(AT, 2), text: 'error 2' })
    expect(await lastOf(other!)).toEqual({ number: 3, at: plus(AT, 4), text: 'error 4' })
    expect(await lastOf(none!)).toBeUndefined()
    await db.sql`update delivery set cycle = 2 where delivery_id = ${one!}`
    expect(await lastOf(one!)).toEqual({ number: 1, at: plus(AT, 3), text: 'error 3' })
  })
})
