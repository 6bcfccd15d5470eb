import { describe, expect, it } from 'vitest'
import { epochMs, type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { MAX_ATTEMPTS, RETRY_WAITS_MS } from '../../src/webhooks/attempts/retry-schedule-rules.ts'
import { listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { testDatabase } from '../support/database.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'

/** The server's time goes on while a check runs, and on a busy machine that takes a while. The first wait is 5 minutes. */
const BUSY_MACHINE_MS = 4 * MINUTE

describe('a delivery on the retry schedule', () => {
  const db = testDatabase()
  const system = deliverySystem(db, timeSkipping())

  async function newDelivery(path = '') {
    const at = await system.now()
    const hook = await addWebhook(db.sql, { url: `${system.receiver.url}${path}`, at })
    const [id] = await addDeliveries(db.sql, hook, { at })
    return { hook, id: id!, read: async () => (await listDeliveries(db.sql, hook))[0]! }
  }

  it('makes six attempts over 34 h 35 min, each exactly its wait after the failure before it, then fails', async () => {
    system.receiver.answer({ status: 500, body: 'out of order' })
    const earlier = system.receiver.requests.length
    const { hook, id, read } = await newDelivery()
    const begin = await system.now()
    for (let number = 1; number <= MAX_ATTEMPTS; number++) {
      const dueAt = number === 1 ? begin : (await read()).nextTryAt!
      if (number > 1) {
        await system.until(plus(dueAt, -BUSY_MACHINE_MS))
        expect((await system.check()).delivered).toMatchObject({ started: 0 })
        await system.untilDue(dueAt)
      }
      expect((await system.check()).delivered).toMatchObject({ started: 1, failed: 1 })
      const log = await read()
      expect(log.attempts).toHaveLength(number)
      const last = log.attempts.at(-1)!
      expect(last).toMatchObject({ number, outcome: 'failed', status: 500, response: 'out of order' })
      expect(epochMs(last.at) - epochMs(dueAt)).toBeLessThan(BUSY_MACHINE_MS)
      const wait = RETRY_WAITS_MS[number - 1]
      const [failure] =
        await db.sql`select finished_at as at from attempt where delivery_id = ${id} and number = ${number}`
      if (wait) expect(log.nextTryAt).toBe(plus(failure!.at, wait))
    }
    const log = await read()
    expect(log).toMatchObject({ status: 'failed', notSent: false })
    expect(log.nextTryAt).toBeUndefined()
    expect(log.error).toMatch(/^All 6 attempts failed, the last with: HTTP 500/)
    expect(await system.result(id)).toMatchObject({ status: 'failed', attempts: 6 })
    expect(epochMs(log.attempts.at(-1)!.at) - epochMs(begin)).toBeGreaterThanOrEqual((34 * 60 + 35) * 60_000)
    const requests = system.receiver.requests.slice(earlier)
    expect(new Set(requests.map((request) => request.headers['webhook-id']))).toEqual(new Set([log.eventId]))
    expect(new Set(requests.map((request) => request.body)).size).toBe(1)
    // Six failures in a row, the last more than 24 hours after the first, have also paused the webhook.
    const [row] = await db.sql`select state, failures_in_row as failures from webhook where webhook_id = ${hook.id}`
    expect(row).toEqual({ state: 'paused', failures: 6 })
  })

  it('succeeds at whichever attempt the endpoint first answers 2xx', async () => {
    const seen = new Map<string, number>()
    system.receiver.answer((request) => {
      const count = (seen.get(request.path) ?? 0) + 1
      seen.set(request.path, count)
      return { status: count >= Number(request.path.split('-').at(-1)) ? 204 : 503 }
    })
    const started = await Promise.all([1, 2, 3, 4, 5, 6].map((attempt) => newDelivery(`-${attempt}`)))
    await system.check()
    for (const wait of RETRY_WAITS_MS) {
      await system.until(plus(await system.now(), wait + 10_000))
      await system.check()
    }
    const logs = await Promise.all(started.map(({ read }) => read()))
    expect(logs.map((log) => [log.status, log.attempts.length])).toEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => ['succeeded', attempt]),
    )
    for (const [n, { id }] of started.entries())
      expect(await system.shown(id)).toEqual({
        status: 'COMPLETED',
        // At the first attempt nothing was written: ExecutionStatus says it.
        deliveryStatus: n === 0 ? undefined : 'succeeded',
      })
    const streaks = await db.sql`
      select state, failures_in_row as failures from webhook
      where webhook_id = any(${started.map(({ hook }) => hook.id)}::uuid[])`
    for (const streak of streaks) expect(streak).toEqual({ state: 'active', failures: 0 })
  })

  it('takes nothing but 2xx for success: a redirect is not followed and fails', async () => {
    system.receiver.answer({ status: 302, headers: { location: `${system.receiver.url}/elsewhere` } })
    const before = system.receiver.requests.length
    const { read } = await newDelivery()
    await system.check()
    expect((await read()).attempts).toMatchObject([{ outcome: 'failed', status: 302 }])
    expect(system.receiver.requests.length - before).toBe(1)
  })

  it('fails an attempt without an answer within 5 seconds, and sends to no one else meanwhile for it', async () => {
    system.receiver.answer(() => undefined)
    const { read } = await newDelivery()
    await system.check()
    const [attempt] = (await read()).attempts
    expect(attempt).toMatchObject({ outcome: 'failed' })
    expect(attempt!.durationMs).toBeGreaterThanOrEqual(4_900)
    // A busy machine may notice the end of the 5 seconds late.
    expect(attempt!.durationMs).toBeLessThan(5_000 + allowedMs(5_000))
    system.receiver.answer({ status: 200 })
  })

  it('pauses a webhook at five failures in a row only when the first is 24 hours before the last', async () => {
    system.receiver.answer({ status: 500 })
    const { hook, read } = await newDelivery()
    async function fail(streak: { since: Instant }) {
      await db.sql`
        update webhook set failures_in_row = 4, first_failure_at = ${streak.since}, state = 'active'
        where webhook_id = ${hook.id}`
      await system.untilDue((await read()).nextTryAt!)
      await system.check()
      const [row] = await db.sql`select state from webhook where webhook_id = ${hook.id}`
      return row!.state as string
    }
    const hour = 3_600_000
    expect(await fail({ since: plus((await read()).nextTryAt!, -24 * hour + BUSY_MACHINE_MS) })).toBe('active')
    expect(await fail({ since: plus((await read()).nextTryAt!, -24 * hour) })).toBe('paused')
  })
})
