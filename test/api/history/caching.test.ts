import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../../src/aliases/delete-group.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { rotateCursorKey } from '../../../src/prices/history/rotate-cursor-key.ts'
import { ask, newKey, testApi, testServer } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, seedProviders } from '../../support/prices.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const YEAR_S = 31_536_000

const apart = testDatabase()

describe('caching and compression', () => {
  const db = testDatabase()
  const api = testApi(db)
  let port: number
  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }, { provider: 'globex' }])
    const rows = Array.from({ length: 300 }, (_, n) => ({
      provider: n % 2 ? 'acme' : 'globex',
      resource: `m${n % 7}`,
      price: String(n),
      pricingTier: { sku: String(n) },
    }))
    await publish(db.sql, rows, AT)
    await api.server.listen({ port: 0, host: '127.0.0.1' })
    port = (api.server.server.address() as { port: number }).port
  })
  beforeEach(async () => {
    await db.sql`delete from rate_bucket`
  })

  /** A request, and the bytes of its answer as they are sent. */
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await api.server.inject({
      method: method as 'GET',
      url: path,
      headers: { authorization: `Bearer ${api.key}`, ...headers },
    })
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, bytes: answer.rawPayload }
  }
  const HISTORY = `/v1/prices/history?asOf=${AT}&limit=200`

  it('an answer at a chosen asOf is immutable for a year in private caches, with a strong ETag and vary', async () => {
    const { headers } = await get(HISTORY)
    expect(headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(headers['cache-control']).toBe(`private, max-age=${YEAR_S}, immutable`)
    const vary = headers.vary!.split(', ').sort()
    expect(vary).toEqual(expect.arrayContaining(['accept-encoding', 'authorization']))
  })

  it('so is every page of its walk, under an ETag of its own', async () => {
    const first = await get(HISTORY)
    const { nextCursor } = JSON.parse(first.bytes.toString())
    const second = await get(`/v1/prices/history?cursor=${nextCursor}&limit=200`)
    expect(second.headers['cache-control']).toBe(`private, max-age=${YEAR_S}, immutable`)
    expect(second.headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(second.headers.etag).not.toBe(first.headers.etag)
  })

  it('without asOf no one keeps the answer: it is never the same twice', async () => {
    const { headers } = await get('/v1/prices/history?limit=1')
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined])
    const known = await get('/v1/prices/history?limit=1', { 'if-none-match': '*' })
    expect([known.status, JSON.parse(known.bytes.toString()).prices.length]).toEqual([200, 1])
  })

  it('an error is never kept, also where the answer would be', async () => {
    for (const path of [
      `${HISTORY}&providers=nobody`,
      `/v1/prices/history?asOf=2999-01-01T00:00:00Z`,
      `${HISTORY}&alias=nothing`,
      '/v1/catalog?provider=nobody',
      '/v1/nothing',
    ]) {
      const { status, headers } = await get(path)
      expect(status, path).toBeGreaterThanOrEqual(400)
      expect([path, headers['cache-control'], headers.etag]).toEqual([path, 'no-store', undefined])
    }
    const refused = await ask(api.server, HISTORY, { 'if-none-match': '*' })
    expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'no-store'])
  })

  it('a client that has the answer gets 304, and no row is read', async () => {
    const { headers } = await get(HISTORY)
    await db.sql`alter table publication rename to publication_away`
    try {
      for (const known of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
        const answer = await get(HISTORY, { 'if-none-match': known })
        expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, headers.etag])
        expect(answer.headers['cache-control']).toBe(headers['cache-control'])
        expect(answer.headers.vary).toBe(headers.vary)
      }
      // The page itself is remembered here: one that no one has read is not.
      expect((await get(HISTORY, { 'if-none-match': '"other"' })).status).toBe(200)
      expect((await get(`${HISTORY}&dimension=pages`)).status).toBe(500)
    } finally {
      await db.sql`alter table publication_away rename to publication`
    }
  })

  it('whatever changes the bytes changes the ETag, and nothing else does', async () => {
    const tags = new Map<string, string>()
    for (const query of [
      `asOf=${AT}&limit=200`,
      `asOf=${AT}&limit=199`,
      `asOf=2026-01-02T00:00:00.000Z&limit=200`,
      `asOf=${AT}&limit=200&providers=acme`,
      `asOf=${AT}&limit=200&providers=acme,globex`,
    ]) {
      tags.set(query, (await get(`/v1/prices/history?${query}`)).headers.etag!)
    }
    expect(new Set(tags.values()).size).toBe(tags.size)
    const same: [string, string][] = [
      [`asOf=${AT}&limit=200&providers=acme,globex`, `providers=globex&limit=200&asOf=${AT}&providers=acme`],
      [`asOf=${AT}&limit=200`, `limit=200&asOf=2026-01-01T01:00:00%2B01:00`],
    ]
    for (const [one, other] of same) {
      const answers = await Promise.all([get(`/v1/prices/history?${one}`), get(`/v1/prices/history?${other}`)])
      expect(answers[1]!.headers.etag).toBe(answers[0]!.headers.etag)
      expect(answers[1]!.bytes.equals(answers[0]!.bytes)).toBe(true)
    }
  })

  it('an answer of an alias group is revalidated, and its ETag changes with the revision', async () => {
    const members = [{ provider: 'acme', resource: 'm1' }]
    const { id } = await saveGroup(db.sql, { name: 'Model M', members, actor: 'test' })
    const path = `/v1/prices/history?asOf=${AT}&alias=${id}`
    const first = await get(path)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect((await get(path, { 'if-none-match': first.headers.etag! })).status).toBe(304)
    expect((await get(`/v1/prices/history?asOf=${AT}&alias=model%20m`)).headers.etag).toBe(first.headers.etag)
    await saveGroup(db.sql, { id, name: 'Model M2', members, actor: 'test' })
    const second = await get(path, { 'if-none-match': first.headers.etag! })
    expect(second.status).toBe(200)
    expect(second.headers.etag).not.toBe(first.headers.etag)
    await deleteGroup(db.sql, { id, actor: 'test' })
    expect((await get(path, { 'if-none-match': second.headers.etag! })).status).toBe(404)
  })

  it('is compressed as the client prefers, with an ETag for each coding', async () => {
    const plain = await get(HISTORY)
    const cases: [accept: string, coding: string | undefined, decode: (bytes: Buffer) => Buffer][] = [
      ['gzip', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip;q=1, br;q=0.5', 'gzip', gunzipSync],
      ['br;q=0, *', process.versions.node.startsWith('20.') ? 'gzip' : 'zstd', (bytes) => bytes],
      ['GZIP', 'gzip', gunzipSync],
      ['identity, gzip;q=0.5', undefined, (bytes) => bytes],
      ['gzip;q=0, br;q=0', undefined, (bytes) => bytes],
      ['identity;q=0, deflate', undefined, (bytes) => bytes],
      ['nonsense;;;', undefined, (bytes) => bytes],
      ['', undefined, (bytes) => bytes],
    ]
    for (const [accept, coding, decode] of cases) {
      const answer = await get(HISTORY, { 'accept-encoding': accept })
      expect([accept, answer.headers['content-encoding']]).toEqual([accept, coding])
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      if (!coding) expect(answer.headers.etag).toBe(plain.headers.etag)
      else expect(answer.headers.etag).toBe(`${plain.headers.etag!.slice(0, -1)}-${coding}"`)
      if (coding !== 'zstd' && !accept.includes('*')) expect(decode(answer.bytes).equals(plain.bytes)).toBe(true)
    }
  })

  it('an ETag of one coding is not an answer in another', async () => {
    const { headers } = await get(HISTORY, { 'accept-encoding': 'br' })
    const known = { 'if-none-match': headers.etag! }
    expect((await get(HISTORY, { ...known, 'accept-encoding': 'br' })).status).toBe(304)
    expect((await get(HISTORY, { ...known, 'accept-encoding': 'gzip' })).status).toBe(200)
    expect((await get(HISTORY, known)).status).toBe(200)
  })

  it('a page that was compressed once is sent again as the same bytes, without reading rows', async () => {
    const first = await get(HISTORY, { 'accept-encoding': 'br' })
    await db.sql`alter table publication rename to publication_away`
    try {
      const again = await get(HISTORY, { 'accept-encoding': 'br' })
      expect(again.status).toBe(200)
      expect(again.bytes.equals(first.bytes)).toBe(true)
      expect(again.headers['content-encoding']).toBe('br')
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
    } finally {
      await db.sql`alter table publication_away rename to publication`
    }
  })

  it('a small answer is not compressed', async () => {
    const { headers } = await get('/v1/providers', { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toContain('accept-encoding')
  })

  it('listings have ETags and are revalidated', async () => {
    for (const path of ['/v1/providers', '/v1/comparison/aliases', '/v1/catalog?provider=acme']) {
      const { headers } = await get(path)
      expect([path, headers['cache-control']]).toEqual([path, 'private, no-cache'])
      expect((await get(path, { 'if-none-match': headers.etag! })).status).toBe(304)
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('HEAD has the headers of GET and no body', async () => {
    for (const path of [HISTORY, '/v1/providers', '/openapi.json']) {
      const whole = await get(path, { 'accept-encoding': 'gzip' })
      const head = await get(path, { 'accept-encoding': 'gzip' }, 'HEAD')
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      for (const name of ['etag', 'cache-control', 'vary', 'content-type', 'content-encoding', 'content-length']) {
        expect([path, name, head.headers[name]]).toEqual([path, name, whole.headers[name]])
      }
    }
  })

  it('a browser-like client over a real connection reads compressed answers and revalidates them', async () => {
    const url = `http://127.0.0.1:${port}${HISTORY}`
    const headers = { authorization: `Bearer ${api.key}` }
    const first = await fetch(url, { headers })
    expect(first.headers.get('content-encoding')).not.toBeNull()
    expect(((await first.json()) as { prices: unknown[] }).prices).toHaveLength(200)
    const again = await fetch(url, { headers: { ...headers, 'if-none-match': first.headers.get('etag')! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  it('304 needs a key and takes a token like any other answer', async () => {
    const { headers } = await get(HISTORY)
    const sql = db.sql
    const server = await testServer(sql)
    const known = { authorization: `Bearer ${api.key}`, 'if-none-match': headers.etag! }
    const begun = performance.now()
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(server, HISTORY, known)))
    // The burst, and two tokens for each second that they took: of so many, some are left without.
    const tokens = 5 + 2 * Math.ceil((performance.now() - begun) / 1_000)
    const unchanged = answers.filter(({ status }) => status === 304).length
    expect(unchanged).toBeGreaterThan(0)
    expect(unchanged).toBeLessThanOrEqual(tokens)
    expect(answers.filter(({ status }) => status === 429).length).toBe(40 - unchanged)
    expect((await ask(server, HISTORY, { 'if-none-match': headers.etag! })).status).toBe(401)
    await server.close()
  })
})

it('a page whose cursor is sealed with another key is another one', async () => {
  await seedProviders(apart.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
  const rows = ['1', '2'].map((price) => ({ provider: 'acme', resource: `m${price}`, price }))
  await publish(apart.sql, rows, AT)
  const headers = { authorization: `Bearer ${await newKey(apart.sql)}` }
  const pages = []
  for (let keys = 0; keys < 2; keys++) {
    const server = await testServer(apart.sql)
    pages.push(await ask(server, `/v1/prices/history?asOf=${AT}&limit=1`, headers))
    await server.close()
    await rotateCursorKey(apart.sql)
  }
  const [before, after] = pages
  expect(after!.text).not.toBe(before!.text)
  expect(after!.headers.etag).not.toBe(before!.headers.etag)
})
