import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operatorWebhook } from '../../activities/operator-webhook.ts'
import { HOUR, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { notifyOperators, type ReviewNotice } from '../../src/prices/review/notify-operators.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { testDatabase } from '../support/database.ts'
import { day, model, models, snapshot } from './support.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

describe('operators', () => {
  const db = testDatabase({ each: true })
  const safeFetch = createSafeFetch({ allowPrivate: true })
  const received: { headers: Record<string, string>; body: string }[] = []
  let status: number
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(status).end()
  })
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
  afterAll(async () => {
    await safeFetch.close()
    server.close()
  })
  beforeEach(() => {
    received.length = 0
    status = 204
  })
  const notify = (at = day(10)) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`
    const send = operatorWebhook({ operatorWebhook: { url, secret } }, safeFetch.post)
    return notifyOperators({ sql: db.sql, log: createLog('silent'), send }, at)
  }
  /** A price that is held on a day, a thousand times too high. */
  async function hold(provider: string, n: number) {
    const priced = (price: number) => [...models(8, { provider }), ...model('r', price, { provider })]
    await snapshot(db.sql, provider, priced(0.000002), { at: day(n - 1) })
    await snapshot(db.sql, provider, priced(0.002), { at: day(n) })
  }

  it('are notified once of each item that has waited a day, by a signed request', async () => {
    await hold('acme', 2)
    expect(await notify(plus(day(3), -HOUR))).toBe(0)
    expect(received).toHaveLength(0)
    expect(await notify(day(3))).toBe(1)
    const [request] = received
    const notice = new Webhook(secret).verify(request!.body, request!.headers) as ReviewNotice
    expect(notice).toMatchObject({
      type: 'review.waiting',
      waiting: 1,
      items: [{ source: 'acme', provider: 'acme', kind: 'price', openedAt: day(2) }],
      command: 'npx pricetape review list --older-than 1d',
    })
    expect(notice.items[0]?.reasons).toContain('power_of_ten')
    expect(await notify(day(4))).toBe(0)
    await hold('later', 6)
    expect(await notify(day(8))).toBe(1)
    expect(JSON.parse(received[1]!.body)).toMatchObject({ waiting: 2, items: [{ provider: 'later' }] })
    expect(received).toHaveLength(2)
  })

  it('are notified again at the next check when their webhook does not take it', async () => {
    await hold('acme', 2)
    status = 500
    expect(await notify(day(3))).toBe(0)
    status = 200
    expect(await notify(day(3))).toBe(1)
    expect(received).toHaveLength(2)
  })

  it('are notified in the log alone where no webhook is set', async () => {
    await hold('acme', 2)
    expect(operatorWebhook({ operatorWebhook: undefined }, safeFetch.post)).toBeUndefined()
    expect(await notifyOperators({ sql: db.sql, log: createLog('silent') }, day(4))).toBe(1)
    expect(received).toHaveLength(0)
  })

  it('are not notified of what was decided in time', async () => {
    await hold('acme', 2)
    const [item] = await openReviewItems(db.sql)
    const decision = { reviewId: item!.reviewId, decision: 'reject' as const, actor: 'ada', reason: 'wrong' }
    await decideReview(db.sql, { ...decision, at: plus(day(2), HOUR) })
    expect(await notify(day(9))).toBe(0)
  })
})
