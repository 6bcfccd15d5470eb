import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  AliasChangedError,
  AuthenticationError,
  ConnectionError,
  currentRows,
  type HistoryQuery,
  InvalidRequestError,
  MemoryCache,
  NotFoundError,
  Pricetape,
  type PricetapeError,
  RateLimitedError,
  ServiceError,
} from '../../clients/typescript/src/index.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { emptyBuckets, listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders, seedRename, withdraw } from '../support/prices.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const LATER = '2026-02-01T00:00:00.000Z' as Instant
const LAST = '2026-03-01T00:00:00.000Z' as Instant
const MEMBERS = [{ provider: 'acme', resource: 'm' }]

describe('the TypeScript client', () => {
  const db = testDatabase({ each: true })
  const api = listeningApi(db)
  const client = (options: object = {}) => new Pricetape({ url: api.url, apiKey: api.key, ...options })

  async function seed(count: number): Promise<string[]> {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const rows = Array.from({ length: count }, (_, n) => ({ provider: 'acme', resource: 'm', price: String(n + 1) }))
    return (await publish(db.sql, rows, AT)).sort()
  }

  it('reads every page of a walk at one instant', async () => {
    const hashes = await seed(25)
    const walk = await client().walk({ providers: ['acme'], limit: 10 })
    expect(walk.prices.map((row) => row.contentHash)).toEqual(hashes)
    expect(walk.asOf).toMatch(/Z$/)
    expect(api.seen.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('gives rows one by one, and stops asking when no one wants more', async () => {
    const hashes = await seed(25)
    const seen: string[] = []
    for await (const row of client().rows({ limit: 10 })) {
      seen.push(row.contentHash)
      if (seen.length === 12) break
    }
    expect(seen).toEqual(hashes.slice(0, 12))
    expect(api.seen).toHaveLength(2)
  })

  it('waits as long as a real 429 says and sends the same request again', async () => {
    const hashes = await seed(25)
    api.afterAnswer = async (seen) => {
      if (seen.length === 2) await emptyBuckets(db.sql)
    }
    const began = performance.now()
    const walk = await client().walk({ limit: 10 })
    expect(walk.prices.map((row) => row.contentHash)).toEqual(hashes)
    expect(api.seen.map(({ status }) => status)).toEqual([200, 200, 429, 200])
    expect(api.seen[3]?.path).toBe(api.seen[2]?.path)
    expect(performance.now() - began).toBeGreaterThan(Number(api.seen[2]?.answered['retry-after']) * 1_000)
  })

  it('sends the tag of an answer it has, and shows it again after a 304', async () => {
    await seed(3)
    const reader = client()
    const first = await reader.walk({ asOf: LATER })
    expect(await reader.walk({ asOf: LATER })).toEqual(first)
    expect(first.prices).toHaveLength(3)
    expect(api.seen.map(({ status }) => status)).toEqual([200, 304])
    expect(await client({ cache: false }).walk({ asOf: LATER })).toEqual(first)
    expect(api.seen.at(-1)?.status).toBe(200)
  })

  it('takes compressed answers', async () => {
    const hashes = await seed(40)
    const { prices } = await client().walk()
    expect(prices.map((row) => row.contentHash)).toEqual(hashes)
    expect(api.seen[0]?.answered['content-encoding']).toMatch(/^(br|gzip)$/)
  })

  it('throws the 429 when its retries are used up', async () => {
    await seed(1)
    const reader = client({ retries: 0, cache: false })
    await reader.history()
    await emptyBuckets(db.sql)
    const error = await reader.history().catch((caught) => caught)
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: expect.any(Number) })
  })

  it('starts again at the same instant when the alias group is saved during a walk', async () => {
    const hashes = await seed(15)
    const { id } = await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    api.afterAnswer = async (seen) => {
      if (seen.length === 1) await saveGroup(db.sql, { id, name: 'Model M', members: MEMBERS, actor: 'test' })
    }
    const walk = await client().walk({ alias: 'Model M', limit: 10 })
    expect(walk.prices.map((row) => row.contentHash)).toEqual(hashes)
    expect(walk).toMatchObject({ alias: { id, revision: 2 }, members: MEMBERS })
    expect(api.seen.map(({ status }) => status)).toEqual([200, 409, 200, 200])
    expect(new URL(api.seen[2]!.path, api.url).searchParams.get('asOf')).toBe(walk.asOf)
  })

  it('gives no row of a walk that has to start again', async () => {
    const hashes = await seed(15)
    const { id } = await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    api.afterAnswer = async (seen) => {
      if (seen.length === 1) await saveGroup(db.sql, { id, name: 'Model M', members: MEMBERS, actor: 'test' })
    }
    const rows: string[] = []
    for await (const row of client().rows({ alias: id, limit: 10 })) rows.push(row.contentHash)
    expect(rows).toEqual(hashes)
  })

  it('leaves the restart to the reader of the pages', async () => {
    await seed(25)
    const { id } = await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    api.afterAnswer = async (seen) => {
      if (seen.length === 1) await saveGroup(db.sql, { id, name: 'Model M', members: MEMBERS, actor: 'test' })
    }
    const pages = client().pages({ alias: id, limit: 10 })
    await pages.next()
    await expect(pages.next()).rejects.toBeInstanceOf(AliasChangedError)
  })

  it('knows each error by its class, its code and the parameter at fault', async () => {
    await seed(1)
    const reader = client({ cache: false })
    const errorOf = (work: Promise<unknown>): Promise<PricetapeError> =>
      work.then(
        () => undefined as never,
        (e) => e,
      )
    const tooRecent = await errorOf(reader.history({ asOf: new Date() }))
    expect(tooRecent).toBeInstanceOf(InvalidRequestError)
    expect(tooRecent).toMatchObject({ code: 'as_of_too_recent', status: 400 })
    expect(await errorOf(reader.history({ providers: ['nobody'] }))).toMatchObject({
      code: 'invalid_query',
      field: 'providers',
    })
    expect(await errorOf(reader.history({ alias: 'nothing' }))).toBeInstanceOf(NotFoundError)
    expect(await errorOf(reader.catalog('nobody'))).toMatchObject({ code: 'provider_not_found', status: 404 })
    expect(await errorOf(reader.evidence('a/b'))).toMatchObject({ code: 'price_not_found', status: 404 })
    const stranger = new Pricetape({ url: api.url, apiKey: `ptk_${'x'.repeat(40)}` })
    expect(await errorOf(stranger.providers())).toBeInstanceOf(AuthenticationError)
  })

  it('reads the directory, the alias groups and a catalog', async () => {
    await seed(1)
    await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    expect(await client().providers()).toMatchObject([{ provider: 'acme', status: 'active' }])
    expect(await client().aliases()).toMatchObject({ groups: [{ resource: 'Model M', revision: 1 }] })
    expect(await client().catalog('acme')).toMatchObject({ docs: [] })
  })

  it('narrows what it reads by names, canonical ids and dimensions, to current rows', async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    await publish(
      db.sql,
      [
        { provider: 'acme', resource: 'm, large', price: '1' },
        { provider: 'acme', resource: 'm, large', price: '2', dimension: 'output_tokens' },
        { provider: 'acme', resource: 'n', price: '3' },
      ],
      AT,
    )
    await publish(db.sql, [{ provider: 'acme', resource: 'm, large', price: '4' }], LATER)
    const pricesOf = async (query: HistoryQuery) => (await client().walk(query)).prices.map(({ price }) => price).sort()
    expect(await pricesOf({ resource: ['m, large'] })).toEqual(['1', '2', '4'])
    expect(await pricesOf({ resource: ['m, large', 'n'], dimension: ['input_tokens'] })).toEqual(['1', '3', '4'])
    expect(await pricesOf({ resource: ['m, large'], current: true })).toEqual(['2', '4'])
    expect(await pricesOf({ canonicalResource: ['acme/m'] })).toEqual([])
  })

  it('keeps a copy up to date with what changed since it was read, over several pages', async () => {
    const hashes = await seed(25)
    const copy = new Map((await client().walk({ asOf: AT })).prices.map((row) => [row.contentHash, row]))
    await withdraw(db.sql, hashes.slice(0, 12), LATER)
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '99' }], LAST)
    const changed = await client().walk({ since: AT, asOf: LAST, limit: 5 })
    expect(changed).toMatchObject({ since: AT, asOf: LAST })
    expect(changed.unpublished?.slice().sort()).toEqual(hashes.slice(0, 12))
    for (const row of changed.prices) copy.set(row.contentHash, row)
    for (const hash of changed.unpublished ?? []) copy.delete(hash)
    const whole = await client().walk({ asOf: LAST })
    expect([...copy.values()].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1))).toEqual(whole.prices)
  })

  it('reads one line across a rename, newest row first', async () => {
    await seedRename(db.sql, { at: AT, renamedAt: LATER })
    const { prices } = await client().walk()
    expect(prices).toHaveLength(2)
    expect(currentRows(prices)).toMatchObject([{ resource: 'new', price: '3' }])
  })
})

describe('the TypeScript client, before servers that fail', () => {
  type Reply = [status: number, body: string, headers?: Record<string, string>]

  async function answering(replies: Reply[], read: (client: Pricetape) => Promise<unknown>) {
    let asked = 0
    const server = createServer((_request, response) => {
      const [status, body, headers] = replies[Math.min(asked++, replies.length - 1)]!
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const client = new Pricetape({ url, apiKey: 'ptk_x', retries: 1 })
      const outcome = await read(client).catch((error: unknown) => error)
      return { outcome, asked }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
  const providers = (client: Pricetape) => client.providers()

  it('handles an unknown code by its status', async () => {
    const body = JSON.stringify({ error: { code: 'brand_new', message: 'New.', field: 'x' } })
    const { outcome } = await answering([[404, body]], providers)
    expect(outcome).toBeInstanceOf(NotFoundError)
    expect(outcome).toMatchObject({ code: 'brand_new', field: 'x' })
  })

  it('sends a request again after a proxy’s error page, and then gives its status', async () => {
    const { outcome, asked } = await answering([[502, '<html>Bad gateway</html>']], providers)
    expect(asked).toBe(2)
    expect(outcome).toBeInstanceOf(ServiceError)
    expect(outcome).toMatchObject({ code: 'http_502', status: 502 })
  })

  it('goes on when the service is back', async () => {
    const { outcome } = await answering(
      [
        [503, '', { 'retry-after': '0' }],
        [200, '{"providers":[]}'],
      ],
      providers,
    )
    expect(outcome).toEqual([])
  })

  it('does not take its key along a redirect', async () => {
    const { outcome } = await answering([[301, '', { location: 'https://elsewhere.example/' }]], providers)
    expect(outcome).toMatchObject({ message: expect.stringContaining('https://elsewhere.example/') })
  })

  it('says that nothing answers', async () => {
    const client = new Pricetape({ url: 'http://127.0.0.1:9', apiKey: 'ptk_x', retries: 0 })
    await expect(client.providers()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('stops waiting when it is aborted, with the reason', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    setTimeout(() => stop.abort(reason), 50)
    const began = performance.now()
    const { outcome } = await answering([[429, '', { 'retry-after': '60' }]], (client) =>
      client.providers({ signal: stop.signal }),
    )
    expect(outcome).toBe(reason)
    expect(performance.now() - began).toBeLessThan(allowedMs(5_000))
  })

  it('keeps an answer with its ETag and shows it again after a 304', async () => {
    const cache = new MemoryCache()
    const client: Reply[] = [
      [200, '{"providers":[]}', { etag: '"1"' }],
      [304, ''],
    ]
    let url = ''
    const { outcome } = await answering(client, async (reader) => {
      url = (reader as unknown as { settings: { baseUrl: string } }).settings.baseUrl
      const cached = new Pricetape({ url, apiKey: 'ptk_x', cache })
      return [await cached.providers(), await cached.providers()]
    })
    expect(outcome).toEqual([[], []])
    expect(cache.get(`${url}/v1/providers`)).toEqual({ etag: '"1"', body: '{"providers":[]}' })
  })

  it('forgets what was used longest ago when its cache is full', () => {
    const cache = new MemoryCache(30)
    const answer = { etag: '"1"', body: '0123456' }
    for (const url of ['a', 'b']) cache.set(url, answer)
    cache.get('a')
    cache.set('c', answer)
    expect(['a', 'b', 'c'].filter((url) => cache.get(url))).toEqual(['a', 'c'])
    cache.set('d', { etag: '"1"', body: 'x'.repeat(31) })
    expect(cache.get('d')).toBeUndefined()
  })
})
