import { beforeAll, describe, expect, it } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { recordEvents } from '../../src/events/store.ts'
import { epochMs, type Instant, plus } from '../../src/lib/instant.ts'
import { listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import type { WebhookRef } from '../../src/webhooks/schema.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { testDatabase } from '../support/database.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { TEST_KEY } from '../support/webhooks/deliveries.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { addProviders, addWorkspace } from '../support/webhooks/subscriptions.ts'

const MINUTES = 60_000
const SECONDS = 1_000

/** Checks as the schedule starts them, every 5 minutes, on the server's time. */
describe('when a change arrives', () => {
  const db = testDatabase()
  const system = deliverySystem(db, timeSkipping())
  let last: Instant
  beforeAll(() => addProviders(db.sql, ['acme']))

  async function subscribe(): Promise<WebhookRef> {
    const workspaceId = await addWorkspace(db.sql)
    const body = { name: 'h', url: system.receiver.url, providers: ['acme'], eventTypes: ['price.changed' as const] }
    const { webhook } = await createWebhook(
      db.sql,
      { secretKey: TEST_KEY, checkUrl: async () => {} },
      workspaceId,
      body,
    )
    return { workspaceId, id: webhook.id }
  }
  async function checkNow() {
    last = await system.now()
    return system.check()
  }
  async function nextCheck() {
    await system.until(plus(last, 5 * MINUTES))
    return checkNow()
  }
  async function publishChange(): Promise<Instant> {
    const eligibleAt = await system.now()
    const draft = { type: 'price.changed' as const, provider: 'acme', payload: {}, resources: ['m'] }
    await publishing(db.sql, (tx, stamp) => recordEvents(tx, stamp, [draft]), eligibleAt)
    return eligibleAt
  }
  const since = (at: Instant, from: Instant) => epochMs(at) - epochMs(from)

  it('a change that just missed a check lands with the next one, 5 minutes later, and its first attempt is made there', async () => {
    system.receiver.answer({ status: 200 })
    const hook = await subscribe()
    expect((await checkNow()).fannedOut).toMatchObject({ events: 0 })
    const eligibleAt = await publishChange()
    expect((await nextCheck()).fannedOut).toEqual({ events: 1, deliveries: 1 })
    const [delivery] = await listDeliveries(db.sql, hook, await system.now())
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: [{ number: 1 }] })
    expect(since(delivery!.createdAt, eligibleAt)).toBeLessThan(10 * MINUTES)
    const firstAttempt = delivery!.attempts[0]!.at
    expect(since(firstAttempt, eligibleAt)).toBeLessThan(5 * MINUTES + 200 * SECONDS)
    expect(since(firstAttempt, delivery!.createdAt)).toBeLessThan(5 * MINUTES)
  })

  it('a retry waits for the check after it is due, up to 5 minutes', async () => {
    system.receiver.answer({ status: 500 })
    const hook = await subscribe()
    await publishChange()
    await checkNow()
    const nextTryAt = (await listDeliveries(db.sql, hook, await system.now()))[0]!.nextTryAt!
    // It failed after this check began, so that it is due after the next one begins: that one may reach it, or the one after.
    if ((await nextCheck()).delivered?.started === 0)
      expect((await nextCheck()).delivered).toMatchObject({ started: 1 })
    const { attempts } = (await listDeliveries(db.sql, hook, await system.now()))[0]!
    expect(attempts).toHaveLength(2)
    expect(since(attempts[1]!.at, nextTryAt)).toBeGreaterThan(0)
    // Beside the 5 minutes, what this check took longer to reach it than the one before.
    expect(since(attempts[1]!.at, nextTryAt)).toBeLessThan(5 * MINUTES + 10 * SECONDS)
  })
})
