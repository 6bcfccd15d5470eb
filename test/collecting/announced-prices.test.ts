import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectNamedSource } from '../../src/collecting/collect-named-sources.ts'
import type { Collecting } from '../../src/collecting/collecting.ts'
import { DAY, HOUR, type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { attemptDelivery } from '../../src/webhooks/attempts/attempt-delivery.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { newest } from '../collectors/pages/samples.ts'
import { testDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { TEST_KEY } from '../support/webhooks/deliveries.ts'
import { addWorkspace } from '../support/webhooks/subscriptions.ts'
import { collectingSystem } from './support.ts'

/** A day that has not come, as Google writes it, and the day before it. */
const now = instantOf(Date.now())
const begins = instantOf(Math.floor(Date.parse(now) / DAY) * DAY + 3 * DAY)
const written = (at: Instant) =>
  new Date(at).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })
const ANNOUNCING = newest('google-page')
  .replaceAll('December 31, 2026', written(plus(begins, -1)))
  .replaceAll('January 1, 2027', written(begins))
/** The same page before it announced anything. */
const BEFORE = newest('google-page').replaceAll(/ through December 31, 2026\.<br>[^<]* starting January 1, 2027\./g, '')

const db = testDatabase({ each: true })
let files: Record<string, string>
const system = collectingSystem(db, (request, response) => {
  const body = files[request.url!]
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': request.url!.endsWith('json') ? 'application/json' : 'text/html',
  })
  response.end(body)
})

describe('a price that is announced', () => {
  let receiver: Receiver
  let collecting: Collecting
  const safeFetch = createSafeFetch({ allowPrivate: true })
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await safeFetch.close()
  })
  beforeEach(() => {
    const google = {
      source: 'google-pricing',
      format: 'google-page',
      url: `${system.base}/pricing`,
      intervalSeconds: 21_600,
    }
    const list = { source: 'list', format: 'genai-prices', url: `${system.base}/list.json` }
    files = { '/pricing': BEFORE }
    collecting = system.declare([{ ...google, rank: 'provider', speaksFor: ['google'] }, list])
  })

  const collect = (at: Instant, source = 'google-pricing') => collectNamedSource(collecting, source, at)
  async function subscribe(...eventTypes: ('price.announced' | 'price.changed')[]) {
    const tools = { secretKey: TEST_KEY, checkUrl: async () => {} }
    const body = { name: 'hook', url: receiver.url, eventTypes, providers: ['*'] }
    const workspace = await addWorkspace(db.sql)
    return (await createWebhook(db.sql, tools, workspace, body)).webhook
  }
  /** Sends what waits, and returns what was received then. */
  async function delivered(at: Instant) {
    const before = receiver.requests.length
    await matchEvents(db.sql, { now: at })
    const waiting = await db.sql<{ id: string }[]>`
      select delivery_id as id from delivery join event using (event_id) where status = 'pending' order by seq`
    const tools = { sql: db.sql, post: safeFetch.post, secretKey: TEST_KEY }
    for (const { id } of waiting) await attemptDelivery(tools, { deliveryId: id, cycle: 1, number: 1, run: 1 }, at)
    return receiver.requests.slice(before).map(({ body }) => JSON.parse(body))
  }
  const said = (events: { type: string; dimension: string; action?: string }[]) =>
    events.map(({ type, dimension, action }) => [type, dimension, action].filter(Boolean).join(' '))

  it('by Google’s page is sent at once, and on its day as the change of the price', async () => {
    expect(await collect(plus(now, -12 * HOUR))).toMatchObject({ outcome: 'changed' })
    await subscribe('price.announced', 'price.changed')
    files['/pricing'] = ANNOUNCING
    expect(await collect(now)).toMatchObject({ outcome: 'changed', published: 0 })
    const ahead = await delivered(now)
    expect(said(ahead)).toEqual([
      'price.announced.google input_tokens announced',
      'price.announced.google output_tokens announced',
      'price.announced.google cache_read_tokens announced',
      'price.announced.google cache_storage_token_hours announced',
    ])
    const effectiveFrom = begins.slice(0, 10)
    expect(ahead[0]).toMatchObject({
      version: 'price-announced.v1',
      resource: 'gemini-3.8-flash',
      current: { price: '0.00000075' },
      announced: { price: '0.0000015', effectiveFrom },
    })
    expect(await sourceState(db.sql, 'google-pricing')).toMatchObject({ nextChangeAt: begins })
    const eve = plus(begins, -HOUR)
    expect(await collect(eve)).toMatchObject({ outcome: 'unchanged' })
    expect([await delivered(eve), (await sourceState(db.sql, 'google-pricing'))?.nextDueAt]).toEqual([[], begins])
    expect(await collect(begins)).toMatchObject({ outcome: 'changed', published: 4 })
    const changed = await delivered(begins)
    expect(said(changed)).toEqual([
      'price.changed.google input_tokens',
      'price.changed.google output_tokens',
      'price.changed.google cache_read_tokens',
      'price.changed.google cache_storage_token_hours',
    ])
    expect(changed[0]).toMatchObject({
      previous: { price: '0.00000075' },
      current: { price: '0.0000015' },
      effectiveFrom,
    })
    expect(await db.sql`select distinct ended_because as ended from upcoming_price`).toEqual([{ ended: 'begun' }])
  })

  it('is sent by genai-prices too, and withdrawn when the list takes it back', async () => {
    const listing = (...prices: object[]) =>
      JSON.stringify([
        { id: 'acme', name: 'Acme', models: [{ id: 'm', prices: [{ prices: { input_mtok: 2 } }, ...prices] }] },
      ])
    files['/list.json'] = listing()
    await collect(plus(now, -12 * HOUR), 'list')
    await subscribe('price.announced')
    files['/list.json'] = listing({ constraint: { start_date: begins.slice(0, 10) }, prices: { input_mtok: 3 } })
    await collect(now, 'list')
    expect(said(await delivered(now))).toEqual(['price.announced.acme input_tokens announced'])
    files['/list.json'] = listing()
    await collect(plus(now, HOUR), 'list')
    expect(said(await delivered(now))).toEqual(['price.announced.acme input_tokens withdrawn'])
  })

  it('is not sent to a webhook that does not name the event', async () => {
    await collect(plus(now, -12 * HOUR))
    await subscribe('price.changed')
    files['/pricing'] = ANNOUNCING
    await collect(now)
    expect(await delivered(now)).toEqual([])
  })
})
