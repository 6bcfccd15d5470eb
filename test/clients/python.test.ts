import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { HistoryPage, PriceRow } from '../../clients/typescript/src/index.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { emptyBuckets, listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders, seedRename, withdraw } from '../support/prices.ts'
import { lacks } from '../support/suite/needs.ts'
import { callPython } from '../support/toolchains/python-client.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const LATER = '2026-02-01T00:00:00.000Z' as Instant
const LAST = '2026-03-01T00:00:00.000Z' as Instant
const MEMBERS = [{ provider: 'acme', resource: 'm' }]

describe.skipIf(lacks('Python 3.9'))('the Python client (needs Python 3.9)', () => {
  const db = testDatabase({ each: true })
  const api = listeningApi(db)
  const call = <T>(name: string, query: object = {}, options: object = {}) =>
    callPython<T>({ call: name, query, options: { url: api.url, api_key: api.key, ...options } })

  async function seed(count: number): Promise<string[]> {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const rows = Array.from({ length: count }, (_, n) => ({ provider: 'acme', resource: 'm', price: String(n + 1) }))
    return (await publish(db.sql, rows, AT)).sort()
  }
  const hashesOf = (rows: PriceRow[] | undefined) => rows?.map((row) => row.contentHash)

  it('reads every page of a walk at one instant, over one connection', async () => {
    const hashes = await seed(25)
    const ports = new Set<unknown>()
    api.server.server.on('connection', (socket) => ports.add(socket.remotePort))
    const { result } = await call<HistoryPage>('walk', { providers: ['acme'], limit: 10 })
    expect(hashesOf(result?.prices)).toEqual(hashes)
    expect(api.seen.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(ports.size).toBe(1)
  })

  it('waits as long as a real 429 says and sends the same request again', async () => {
    const hashes = await seed(25)
    api.afterAnswer = async (seen) => {
      if (seen.length === 2) await emptyBuckets(db.sql)
    }
    const began = performance.now()
    const { result } = await call<PriceRow[]>('rows', { limit: 10 })
    expect(hashesOf(result)).toEqual(hashes)
    expect(api.seen.map(({ status }) => status)).toEqual([200, 200, 429, 200])
    expect(api.seen[3]?.path).toBe(api.seen[2]?.path)
    expect(performance.now() - began).toBeGreaterThan(Number(api.seen[2]?.answered['retry-after']) * 1_000)
  })

  it('sends the tag of an answer it has, shows it again after a 304, and takes compressed answers', async () => {
    const hashes = await seed(40)
    const { result } = await call<HistoryPage[]>('twice', { as_of: LATER })
    for (const walk of result ?? []) expect(hashesOf(walk.prices)).toEqual(hashes)
    expect(api.seen.map(({ status }) => status)).toEqual([200, 304])
    expect(api.seen[0]?.answered['content-encoding']).toBe('gzip')
  })

  it('starts again at the same instant when the alias group is saved during a walk', async () => {
    const hashes = await seed(15)
    const { id } = await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    api.afterAnswer = async (seen) => {
      if (seen.length === 1) await saveGroup(db.sql, { id, name: 'Model M', members: MEMBERS, actor: 'test' })
    }
    const { result } = await call<HistoryPage>('walk', { alias: 'Model M', limit: 10 })
    expect(hashesOf(result?.prices)).toEqual(hashes)
    expect(result).toMatchObject({ alias: { id, revision: 2 }, members: MEMBERS })
    expect(api.seen.map(({ status }) => status)).toEqual([200, 409, 200, 200])
    expect(new URL(api.seen[2]!.path, api.url).searchParams.get('asOf')).toBe(result?.asOf)
  })

  it('gives no row of a walk that has to start again', async () => {
    const hashes = await seed(15)
    const { id } = await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    api.afterAnswer = async (seen) => {
      if (seen.length === 1) await saveGroup(db.sql, { id, name: 'Model M', members: MEMBERS, actor: 'test' })
    }
    expect(hashesOf((await call<PriceRow[]>('rows', { alias: id, limit: 10 })).result)).toEqual(hashes)
  })

  it('knows each error by its class, its code and the parameter at fault', async () => {
    await seed(1)
    const tooRecent = await call('history', { as_of: new Date().toISOString() })
    expect(tooRecent.error).toMatchObject({ class: 'InvalidRequestError', code: 'as_of_too_recent', status: 400 })
    const unknown = await call('history', { providers: ['nobody'] })
    expect(unknown.error).toMatchObject({ code: 'invalid_query', field: 'providers' })
    expect((await call('history', { alias: 'nothing' })).error).toMatchObject({ class: 'NotFoundError' })
    expect((await call('catalog', { provider: 'nobody' })).error).toMatchObject({ code: 'provider_not_found' })
    const stranger = await call('providers', {}, { api_key: `ptk_${'x'.repeat(40)}` })
    expect(stranger.error).toMatchObject({ class: 'AuthenticationError', status: 401 })
  })

  it('reads the directory, the alias groups and a catalog', async () => {
    await seed(1)
    await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })
    expect((await call('providers')).result).toMatchObject([{ provider: 'acme', status: 'active' }])
    expect((await call('aliases')).result).toMatchObject({ groups: [{ resource: 'Model M', revision: 1 }] })
    expect((await call('catalog', { provider: 'acme' })).result).toMatchObject({ docs: [] })
  })

  it('narrows what it reads, and keeps a copy up to date with what changed since', async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const [old] = await publish(
      db.sql,
      [
        { provider: 'acme', resource: 'm, large', price: '1' },
        { provider: 'acme', resource: 'n', price: '2', dimension: 'output_tokens' },
      ],
      AT,
    )
    await publish(db.sql, [{ provider: 'acme', resource: 'm, large', price: '3' }], LATER)
    await withdraw(db.sql, [old!], LAST)
    const pricesOf = async (query: object) => {
      const { result } = await call<PriceRow[]>('rows', query)
      return result?.map(({ price }) => price).sort()
    }
    expect(await pricesOf({ resource: ['m, large', 'n'] })).toEqual(['2', '3'])
    expect(await pricesOf({ dimension: ['output_tokens'], current: true })).toEqual(['2'])
    expect(await pricesOf({ canonical_resource: ['acme/m'] })).toEqual([])
    const { result } = await call<HistoryPage>('walk', { since: AT, as_of: LAST, limit: 1 })
    expect(result).toMatchObject({ since: AT, prices: [{ price: '3' }], unpublished: [old] })
    expect((await call('walk', { resource: 'm' })).error).toMatchObject({ message: "give a list of names: ['m']" })
  })

  it('reads one line across a rename, newest row first', async () => {
    await seedRename(db.sql, { at: AT, renamedAt: LATER })
    expect((await call('current')).result).toMatchObject([{ resource: 'new', price: '3' }])
  })

  it('names the fields of the OpenAPI document', async () => {
    type Schema = { properties: Record<string, unknown>; required: string[] }
    const document = (await api.server.inject('/openapi.json')).json() as {
      components: { schemas: Record<string, Schema> }
    }
    const names = ['PriceRow', 'HistoryPage', 'Member', 'Aliases', 'Catalog']
    const { result } = await callPython<Record<string, { required: string[]; optional: string[] }>>({
      call: 'types',
      names,
    })
    const documented = (name: string) => {
      const { properties, required } = document.components.schemas[name]!
      const optional = Object.keys(properties).filter((property) => !required.includes(property))
      return { required: [...required].sort(), optional: optional.sort() }
    }
    expect(result?.PriceRow).toEqual(documented('PriceRow'))
    expect(result?.HistoryPage).toEqual(documented('PriceHistory'))
    for (const name of ['Member', 'Aliases', 'Catalog']) expect(result?.[name]).toEqual(documented(name))
  })
})

describe.skipIf(lacks('Python 3.9'))('the Python client, before servers that fail (needs Python 3.9)', () => {
  type Reply = [status: number, body: string | Buffer, headers?: Record<string, string>]

  async function answering(replies: Reply[], call = 'providers', options: object = {}) {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      const [status, body, headers] = replies[Math.min(asked.length, replies.length - 1)]!
      asked.push(request.headers['if-none-match'])
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const answer = await callPython({ call, options: { url, api_key: 'ptk_x', retries: 1, ...options } })
      return { ...answer, asked }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  it('handles an unknown code by its status', async () => {
    const { error } = await answering([[404, JSON.stringify({ error: { code: 'brand_new', message: 'New.' } })]])
    expect(error).toMatchObject({ class: 'NotFoundError', code: 'brand_new', status: 404 })
  })

  it('sends a request again after a proxy’s error page, and then gives its status', async () => {
    const { error, asked } = await answering([[502, '<html>Bad gateway</html>']])
    expect(asked).toHaveLength(2)
    expect(error).toMatchObject({ class: 'ServiceError', code: 'http_502' })
  })

  it('does not take its key along a redirect', async () => {
    const { error } = await answering([[301, '', { location: 'https://elsewhere.example/' }]])
    expect(error?.message).toContain('https://elsewhere.example/')
  })

  it('shows the answer it keeps after a 304, and takes compressed answers', async () => {
    const page = JSON.stringify({ asOf: AT, nextCursor: null, prices: [] })
    const compressed = { etag: '"1"', 'content-encoding': 'gzip' }
    const { result, asked } = await answering(
      [
        [200, gzipSync(page), compressed],
        [304, ''],
      ],
      'twice',
    )
    expect(result).toEqual([
      { asOf: AT, prices: [] },
      { asOf: AT, prices: [] },
    ])
    expect(asked).toEqual([undefined, '"1"'])
  })

  it('says that nothing answers', async () => {
    const { error } = await callPython({
      call: 'providers',
      options: { url: 'http://127.0.0.1:9', api_key: 'ptk_x', retries: 0 },
    })
    expect(error).toMatchObject({ class: 'NoAnswerError', message: expect.stringContaining('http://127.0.0.1:9') })
  })

  it('refuses a secret that was cut when it was copied', async () => {
    const at = String(Math.floor(Date.now() / 1_000))
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': 'v1,x' }
    const secrets = `whsec_${randomBytes(24).toString('base64').slice(1)}`
    const { error } = await callPython({ call: 'verify', body: '', headers, secrets })
    expect(error).toMatchObject({ class: 'ValueError', message: expect.stringContaining('copy it again') })
  })
})
