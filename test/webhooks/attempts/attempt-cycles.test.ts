import { beforeEach, describe, expect, it } from 'vitest'
import { instantOf, MINUTE } from '../../../src/lib/instant.ts'
import { failUnsent } from '../../../src/webhooks/attempts/outcome-store.ts'
import { finishedAttempts } from '../../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addDeliveries, addWebhook } from '../../support/webhooks/deliveries.ts'

const db = testDatabase({ each: true })
const at = instantOf(Date.now() - MINUTE)
let id: string
let other: string

/** Two deliveries in their second cycle. */
beforeEach(async () => {
  const hook = await addWebhook(db.sql, { url: 'https://hooks.example.com/', at })
  ;[id, other] = (await addDeliveries(db.sql, hook, { at, count: 2 })) as [string, string]
  await db.sql`update delivery set cycle = 2`
})
const addAttempt = (cycle: number, number: number, durationMs: number, deliveryId = id) => db.sql`
  insert into attempt (delivery_id, cycle, number, started_at, finished_at, outcome, duration_ms)
  values (${deliveryId}, ${cycle}, ${number}, ${at}, ${at}, 'failed', ${durationMs})`

describe('the attempts of a delivery that was resent', () => {
  it('took what the last attempt of the last cycle took', async () => {
    await addAttempt(1, 6, 60)
    await addAttempt(2, 1, 21)
    await addAttempt(2, 2, 22)
    await addAttempt(1, 1, 99, other)
    const [finished] = await finishedAttempts(db.sql, [id])
    expect(finished).toMatchObject({ deliveryId: id, tookMs: 22 })
  })

  it('count in their own cycle alone when one is not sent, because the webhook is paused', async () => {
    await db.sql`update webhook set state = 'paused'`
    const fail = () => failUnsent(db.sql, { deliveryId: id, cycle: 2, number: 1, run: 1 }, at)
    const states = async () =>
      (await db.sql`select delivery_id as id, status, not_sent as "notSent" from delivery`)
        .sort((a) => (a.id === id ? -1 : 1))
        .map(({ status, notSent }) => [status, notSent])
    await addAttempt(2, 1, 20)
    await fail()
    expect(await states()).toEqual([
      ['pending', null],
      ['pending', null],
    ])
    await db.sql`delete from attempt`
    await addAttempt(1, 1, 10)
    await addAttempt(2, 1, 10, other)
    await fail()
    expect(await states()).toEqual([
      ['failed', 'paused'],
      ['pending', null],
    ])
  })
})
