import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { aliasesAnswer, catalogAnswer, errorBody, historyAnswer, providersAnswer } from '../../src/api/schema.ts'
import { EVENT_TYPES } from '../../src/events/schema.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { pageProof } from '../../src/proof/page-proof-schema.ts'
import { consistency, inclusion, logKeys } from '../../src/proof/schema.ts'
import { testEvent } from '../../src/webhooks/attempts/delivery-rules.ts'
import { PUBLIC_LOG, READ_API } from '../app/access/route-table.ts'
import { testApi, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

type Operation = {
  operationId?: string
  description?: string
  security?: object[]
  tags: string[]
  parameters?: { name: string; in: string; description?: string; schema: Record<string, unknown> }[]
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object; example?: unknown }> }>
}
type Receiver = {
  parameters: { name: string; in: string; required: boolean }[]
  requestBody: { required: boolean; content: Record<string, { schema: { properties: object }; example?: object }> }
  responses: object
  security: object[]
}
type Document = {
  openapi: string
  info: { license?: object }
  servers: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Receiver }>
  components: { schemas: Record<string, unknown> }
}

describe('the OpenAPI document', () => {
  const db = testDatabase()
  const api = testApi(db)
  let document: Document
  beforeAll(async () => {
    document = (await api.get('/openapi.json')).json as unknown as Document
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'openai' }])
    await keepLog({ sql: db.sql, names: { logOrigin: 'log.test' }, secretKey: Buffer.alloc(32, 1) })
    await publish(db.sql, [{ provider: 'openai', resource: 'm', price: '1' }], '2026-01-01T00:00:00.000Z' as Instant)
  })

  it('is OpenAPI 3.1 and holds every endpoint, each behind the key, with every parameter', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths).sort()).toEqual([
      '/v1/catalog',
      '/v1/comparison/aliases',
      '/v1/log/consistency',
      '/v1/log/keys',
      '/v1/log/proof',
      '/v1/log/proofs',
      '/v1/prices/evidence/{contentHash}',
      '/v1/prices/history',
      '/v1/providers',
    ])
    const names = (path: string) => document.paths[path]?.get?.parameters?.map((item) => item.name)
    expect(names('/v1/prices/history')).toEqual([
      ...[
        'providers',
        'asOf',
        'alias',
        'resource',
        'canonicalResource',
        'dimension',
        'current',
        'confirmed',
        'include',
        'since',
      ],
      ...['cursor', 'limit'],
    ])
    expect(names('/v1/catalog')).toEqual(['provider'])
    const limit = document.paths['/v1/prices/history']?.get?.parameters?.find((item) => item.name === 'limit')
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 10_000, default: 5_000 })
  })

  it('holds every route that answers a key or everyone, but the files of the log, whose names are in a standard', () => {
    const files = ['GET /v1/log/checkpoint', 'GET /v1/log/*']
    const routes = [...READ_API, ...PUBLIC_LOG].map(({ request }) => request.replace(/\?.*/, ''))
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    expect([...documented, ...files].sort()).toEqual(routes.sort())
  })

  it('names its server, licence and tags, and says of each endpoint what it is for', () => {
    expect(document.servers).toEqual([{ url: '/' }])
    expect(document.info.license).toEqual({ name: 'Apache-2.0', identifier: 'Apache-2.0' })
    const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(Object.values)
    for (const { operationId, description, tags } of operations as Operation[]) {
      expect(description, operationId).toMatch(/^.{30}/)
      expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(tags))
    }
  })

  it('names the public address of its installation, without slashes at the end', async () => {
    const server = await testServer(db.sql, { PRICETAPE_PUBLIC_URL: 'https://prices.example/tape//' })
    const { servers } = (await server.inject('/openapi.json')).json<Document>()
    expect(servers).toEqual([{ url: 'https://prices.example/tape' }])
    await server.close()
  })

  it('lists the dimensions that can be asked for: a refusal of another one leads there', () => {
    const dimension = document.paths['/v1/prices/history']?.get?.parameters?.find((item) => item.name === 'dimension')
    for (const name of ['input_tokens', 'gpu_hours', 'usage']) expect(dimension?.description).toContain(name)
  })

  it('documents the errors of every endpoint in the one shape', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    )
    for (const { path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      const asksForKey = operation.security === undefined
      expect(statuses, path).toEqual(expect.arrayContaining(['200', '400', '429', '500', '503']))
      expect(statuses.includes('401') && statuses.includes('403'), path).toBe(asksForKey)
      for (const status of statuses.filter((item) => Number(item) >= 400)) {
        expect(operation.responses[status]?.content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/Error',
        })
      }
    }
    const { responses } = document.paths['/v1/prices/history']!.get!
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['304', '404', '406', '409']))
    expect(Object.keys(document.components.schemas).filter((name) => name.endsWith('Input'))).toEqual([])
  })

  it('shows an example for every successful answer, and each is what its schema says', () => {
    const schemas = {
      '/v1/prices/history': historyAnswer,
      '/v1/providers': providersAnswer,
      '/v1/comparison/aliases': aliasesAnswer,
      '/v1/catalog': catalogAnswer,
      '/v1/log/keys': logKeys,
      '/v1/log/consistency': consistency,
      '/v1/log/proof': inclusion,
      '/v1/log/proofs': pageProof,
    }
    for (const [path, schema] of Object.entries(schemas)) {
      const [operation] = Object.values(document.paths[path]!)
      const example = operation!.responses['200']?.content?.['application/json']?.example
      expect(z.strictObject(schema.shape).parse(example), path).toEqual(example)
    }
  })

  it('documents the formats of the price history and the headers of every answer as they are sent', async () => {
    const { responses } = document.paths['/v1/prices/history']!.get!
    const types = Object.keys(responses['200']!.content!)
    expect(types).toEqual(['application/json', 'application/x-ndjson', 'text/csv'])
    const query = '/v1/prices/history?asOf=2026-02-01T00:00:00Z&limit=1'
    for (const accept of types) {
      const { headers } = await api.get(query, { accept })
      expect(String(headers['content-type'])).toMatch(new RegExp(`^${accept};`))
      const documented = Object.keys(responses['200']!.headers ?? {})
      expect(documented).toEqual(expect.arrayContaining(['etag', 'cache-control', 'vary', 'ratelimit', 'request-id']))
      const own = Object.keys(headers).filter((name) => /^(pricetape-|ratelimit|etag|vary|link|request-id)/.test(name))
      expect(own.filter((name) => !documented.includes(name))).toEqual([])
    }
    for (const { responses: all } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      expect(all['429']!.headers).toHaveProperty('retry-after')
      for (const { headers } of Object.values(all)) expect(headers).toHaveProperty('request-id')
    }
  })

  it('says which headers an answer has: its limits where a key is asked for, its ETag where it can be kept', () => {
    const named = (path: string, status: string) => {
      const [operation] = Object.values(document.paths[path]!)
      return Object.keys(operation!.responses[status]!.headers!).join(' ')
    }
    const limits = 'request-id ratelimit ratelimit-policy'
    const beside = 'pricetape-as-of pricetape-next-cursor pricetape-alias-id pricetape-alias-revision link'
    expect(named('/v1/providers', '200')).toBe(`${limits} etag cache-control vary`)
    expect(named('/v1/providers', '304')).toBe(`${limits} etag cache-control vary`)
    expect(named('/v1/providers', '400')).toBe(limits)
    for (const status of ['429', '503']) expect(named('/v1/providers', status)).toBe(`${limits} retry-after`)
    expect(named('/v1/prices/history', '200')).toBe(`${limits} etag cache-control vary ${beside}`)
    expect(named('/v1/log/proofs', '200')).toBe(`${limits} cache-control vary`)
    for (const path of ['/v1/log/keys', '/v1/log/consistency'])
      expect(named(path, '200')).toBe('request-id etag cache-control vary')
  })

  it('says of each event what headers it has, that any 2xx is enough, and shows one', () => {
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { parameters, responses, requestBody, security } = post
      expect(parameters.map(({ name, in: where, required }) => `${name} ${where} ${required}`)).toEqual([
        ...['webhook-id header true', 'webhook-timestamp header true', 'webhook-signature header true'],
      ])
      expect([Object.keys(responses), requestBody.required, security]).toEqual([['2XX', 'default'], true, []])
      const { example } = requestBody.content['application/json']!
      expect((example as { type?: string } | undefined)?.type?.startsWith(type) ?? type === 'webhook.test').toBe(true)
    }
  })

  it('holds the test event as it is sent', () => {
    const { schema } = document.webhooks['webhook.test']!.post.requestBody.content['application/json']!
    const webhookId = '0195d0c4-0000-7000-8000-000000000000'
    const { id, body } = testEvent(webhookId, '2026-11-21T10:15:00.000Z')
    expect(z.fromJSONSchema(schema as never).parse(JSON.parse(body))).toMatchObject({ id, test: true })
    expect(Object.keys(schema.properties)).toEqual(Object.keys(JSON.parse(body)))
  })

  it('holds the ten events, each with the schema of its body', () => {
    const { 'webhook.test': test, ...events } = document.webhooks
    expect(Object.keys(events).sort()).toEqual([...EVENT_TYPES].sort())
    for (const { post } of Object.values(events)) {
      const { properties } = post.requestBody.content['application/json']!.schema
      expect(Object.keys(properties)).toEqual(
        expect.arrayContaining(['version', 'type', 'id', 'createdAt', 'eligibleAt']),
      )
    }
  })

  it('every parameter of it, whatever it is given, never gives a 5xx and always the documented error', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '',
        '0',
        '-1',
        '1e9',
        'null',
        '[]',
        '%',
        '\0',
        '\ud800',
        '../',
        "' or 1=1 --",
        'a,b,,c',
        '2026-13-01',
      ),
      fc.constantFrom('openai', '5', '2026-01-01T00:00:00Z', 'x'.repeat(3_000)),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    )
    const gets = Object.entries(document.paths).filter(([, { get }]) => get !== undefined)
    const operations = gets.map(([path, { get }]) => ({
      path,
      names: [...(get!.parameters ?? []).flatMap((item) => (item.in === 'query' ? item.name : [])), 'surprise'],
    }))
    const request = fc
      .constantFrom(...operations)
      .chain(({ path, names }) =>
        fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 3 }).map((pairs) => ({ path, pairs })),
      )
    await fc.assert(
      fc.asyncProperty(request, async ({ path, pairs }) => {
        const query = new URLSearchParams(pairs).toString()
        const answer = await api.get(`${path}?${query}`)
        expect(answer.status, `${path}?${query} ${answer.text}`).toBeLessThan(500)
        if (answer.status === 200) return
        expect([400, 404]).toContain(answer.status)
        const { error } = errorBody.parse(answer.json)
        expect(
          error.field === undefined ||
            pairs.some(([name]) => name === error.field) ||
            ['provider', 'contentHash', 'from'].includes(error.field),
        ).toBe(true)
        if (pairs.some(([name]) => name === 'surprise'))
          expect(error).toMatchObject({ code: 'invalid_query', field: 'surprise' })
      }),
      { numRuns: 250 },
    )
  })

  it('is where /docs leads when the app, which shows it, is not built', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { status, headers } = await api.get(path)
      expect([status, headers.location]).toEqual([302, '/openapi.json'])
    }
  })
})
