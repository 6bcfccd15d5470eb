import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/lib/config.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { tracedSql } from '../../src/lib/postgres/traced-sql.ts'
import { startTracing } from '../../src/monitoring/tracing/start-tracing.ts'
import { ask, newKey, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'

type Span = {
  traceId: string
  name: string
  /** As OTLP numbers them: 2 is a server's. */
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string }[]
}

const db = testDatabase()
const temporal = timeSkipping()
let tracing: AsyncDisposable
let url = ''
const received: string[] = []
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
beforeAll(async () => {
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const settings = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url }).tracing!
  tracing = startTracing({ ...settings, role: 'test' })
  // The pool of the test's system, before it starts.
  db.sql = tracedSql(db.sql)
})
const system = deliverySystem(db, temporal)
afterAll(async () => {
  await tracing[Symbol.asyncDispose]()
  await new Promise((done) => collector.close(done))
})

const spans = (): Span[] =>
  received.flatMap((text) =>
    (JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
      ({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans),
    ),
  )

it('follows a delivery from the round over its workflow to every attempt in one trace, and a request to its statements', async () => {
  const path = 'secret-path-9'
  const at = await system.now()
  const webhook = await addWebhook(db.sql, { url: `${system.receiver.url}/${path}`, at })
  const [deliveryId] = await addDeliveries(db.sql, webhook, { at, body: '{"secret":"payload-9"}' })
  system.receiver.answerNext({ status: 500 })
  await system.check()
  const [delivery] = await db.sql<{ dueAt: Instant }[]>`select due_at as "dueAt" from delivery`
  await system.untilDue(delivery!.dueAt)
  await system.check()
  await system.result(deliveryId!)

  const away = await addWebhook(db.sql, { url: `http://127.0.0.1:${await freePort()}/`, at })
  const [lost] = await addDeliveries(db.sql, away, { at })
  await system.check()

  const server = await testServer(db.sql, { OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const key = await newKey(db.sql)
  const foreign = 'f'.repeat(32)
  await ask(server, `/v1/catalog?provider=none-9`, {
    authorization: `Bearer ${key}`,
    'request-id': 'mine',
    traceparent: `00-${foreign}-${'f'.repeat(16)}-01`,
  })
  await server.close()
  await tracing[Symbol.asyncDispose]()

  const all = spans()
  const ofDelivery = all.filter(({ traceId }) => traceId === deliveryId!.replaceAll('-', ''))
  const named = (name: string) => ofDelivery.filter((span) => span.name === name)
  expect(named('start workflow delivery')).toHaveLength(1)
  expect(named('signal workflow delivery')).toHaveLength(1)
  expect(named('attempt')).toHaveLength(2)
  const attribute = (name: string) => (span: Span) => {
    const value = span.attributes.find(({ key: other }) => other === name)?.value
    return value?.stringValue ?? value?.intValue
  }
  expect(named('attempt').map(attribute('pricetape.result'))).toEqual(['failed', 'succeeded'])
  expect(named('attempt').map(attribute('pricetape.attempt'))).toEqual([1, 2])
  for (const [number, name] of ['start workflow delivery', 'signal workflow delivery'].entries()) {
    const values = ['delivery_id', 'webhook_id', 'event_type', 'attempt'].map((key) => attribute(`pricetape.${key}`))
    expect(values.map((value) => value(named(name)[0]!))).toEqual([deliveryId, webhook.id, 'price.changed', number + 1])
    expect(attribute('temporal.workflow_id')(named(name)[0]!)).toBe(`delivery/price.changed/${deliveryId}`)
  }
  const posts = named('POST')
  expect(posts.map(attribute('http.response.status_code'))).toEqual([500, 200])
  expect(posts.map(attribute('server.address'))).toEqual(['127.0.0.1', '127.0.0.1'])
  expect(posts.map(attribute('error.type'))).toEqual([undefined, undefined])
  const unanswered = all.find(({ traceId, name }) => traceId === lost!.replaceAll('-', '') && name === 'POST')!
  const got = ['error.type', 'http.response.status_code'].map((key) => attribute(key)(unanswered))
  expect(got).toEqual(['failed', undefined])
  expect(ofDelivery.filter(({ name }) => name.startsWith('sql ')).length).toBeGreaterThanOrEqual(4)
  const rounds = all.filter(({ name }) => name === 'round')
  expect(rounds.map(attribute('pricetape.round_id'))).not.toContain(undefined)
  expect(rounds.map(attribute('pricetape.shard'))).not.toContain(undefined)
  expect(rounds.map(({ traceId }) => traceId)).toContain(named('start workflow delivery')[0]!.links![0]!.traceId)

  const request = all.find(({ name }) => name === 'GET /v1/catalog')!
  const asked = ['http.request.method', 'http.route', 'http.response.status_code', 'error.type', 'pricetape.request_id']
  expect([request.kind, ...asked.map((name) => attribute(name)(request))]).toEqual([
    ...[2, 'GET', '/v1/catalog', 404, 'provider_not_found', 'mine'],
  ])
  expect(all.map(({ traceId }) => traceId)).not.toContain(foreign)
  const statements = all.filter(({ traceId, name }) => traceId === request.traceId && name.startsWith('sql '))
  expect(statements.length).toBeGreaterThanOrEqual(1)
  const held = [path, 'payload-9', 'none-9', key].filter((secret) => received.some((text) => text.includes(secret)))
  expect(held).toEqual([])
})
