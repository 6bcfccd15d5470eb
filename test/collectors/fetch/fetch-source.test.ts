import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { fetchSource } from '../../../src/collectors/fetch/fetch-source.ts'
import type { FetchRequest, FetchResult } from '../../../src/collectors/fetch/schema.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { isolation } from '../../support/isolation.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer; afterMs?: number }
let asked: { path: string; headers: IncomingMessage['headers'] }[] = []
let answerOf: (path: string) => Answer | undefined = () => ({})
const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  asked.push({ path: request.url!, headers: request.headers })
  const answer = answerOf(request.url!)
  if (!answer) return
  const send = () => response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body)
  if (answer.afterMs) setTimeout(send, answer.afterMs)
  else send()
})
const safeFetch = createSafeFetch({ allowPrivate: true })
let base = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await safeFetch.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const read = (declared: object, request: Partial<FetchRequest> = {}, more: object = {}): Promise<FetchResult> => {
  const source = sourceDeclaration.parse({ source: 'list', format: 'litellm', url: `${base}/list.json`, ...declared })
  const tools = { get: safeFetch.get, isolation, offline: false, folder: '.', spacingMs: 0, ...more }
  return fetchSource(tools, source, { neverRead: true, timeoutMs: 10_000, ...request })
}
const textOf = (result: FetchResult) => (result.kind === 'bytes' ? Buffer.from(result.bytes).toString() : result)
/** What another test asked for, and gave up, may still arrive. */
const paths = () => asked.map(({ path }) => path).filter((path) => !path.startsWith('/late/'))
const sends = (answers: Record<string, Answer>) => {
  answerOf = (path) => answers[path] ?? { status: 404 }
}
const json = (content: unknown): Answer => ({ body: JSON.stringify(content) })

describe('a list that is read at an address', () => {
  it('is what was sent, with the headers that are of use', async () => {
    const headers = { 'content-type': 'text/csv', etag: '"1"', 'set-cookie': 'secret', server: 's'.repeat(1_200) }
    sends({ '/list.json': { headers, body: 'a,b' } })
    const found = await read({})
    expect(found).toMatchObject({ kind: 'bytes', from: 'url', contentType: 'text/csv' })
    expect(textOf(found)).toBe('a,b')
    const { http } = found as Extract<FetchResult, { kind: 'bytes' }>
    expect(http).toMatchObject({ status: 200, url: `${base}/list.json` })
    expect(http!.headers).toMatchObject({ etag: '"1"', 'content-type': 'text/csv', server: 's'.repeat(1_000) })
    expect(Object.keys(http!.headers)).not.toContain('set-cookie')
  })

  it('is asked for with the validators of what is at hand, where that was read at the same address', async () => {
    answerOf = () => ({ status: 304 })
    const at = { etag: '"1"', lastModified: 'Sat, 21 Nov 2026 00:00:00 GMT' }
    expect(await read({}, { known: { ...at, url: `${base}/list.json` } })).toMatchObject({ kind: 'unchanged' })
    sends({ '/list.json': { body: 'new' } })
    await read({}, { known: { ...at, url: `${base}/former.json` } })
    await read({})
    const validators = asked.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])
    expect(validators).toEqual([[at.etag, at.lastModified], ...Array(2).fill([undefined, undefined])])
  })

  it('is unpacked where it is a packed file, up to its limit', async () => {
    sends({ '/list.json': { body: gzipSync('x'.repeat(2_000)) }, '/bad.gz': { body: Buffer.from([0x1f, 0x8b, 1, 2]) } })
    expect(textOf(await read({ options: { maxBytes: 2_000 } }))).toBe('x'.repeat(2_000))
    const larger = 'sent a compressed file that is damaged or larger than 1999 bytes. Set maxBytes in the options'
    expect(await read({ options: { maxBytes: 1_999 } })).toMatchObject({ problem: expect.stringContaining(larger) })
    expect(await read({ url: `${base}/bad.gz` })).toMatchObject({ problem: expect.stringContaining('is damaged') })
  })

  it('has a limit of its own, and a page a smaller one', async () => {
    const megabytes = (count: number) => {
      answerOf = (path) => (path === '/robots.txt' ? { status: 404 } : { body: Buffer.alloc(count * 1024 * 1024, ' ') })
    }
    megabytes(17)
    expect(await read({})).toMatchObject({ kind: 'bytes' })
    const page = { format: 'anthropic-page' }
    expect(await read(page)).toMatchObject({ kind: 'failed', problem: expect.stringContaining('larger than 16777216') })
    megabytes(16)
    expect(await read(page)).toMatchObject({ kind: 'bytes' })
  })

  it('that fails says why, when to come back, and whether the host was reached', async () => {
    const answered = async (status: number, retryAfter?: string) => {
      sends({ '/list.json': { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } } })
      return (await read({})) as Extract<FetchResult, { kind: 'failed' }>
    }
    expect(await answered(503)).toMatchObject({ problem: `${base}/list.json answered 503.`, http: { status: 503 } })
    expect((await answered(503)).retryAfterMs).toBeUndefined()
    expect((await answered(429, '120')).retryAfterMs).toBe(120_000)
    const inAnHour = (await answered(429, new Date(Date.now() + 3_600_000).toUTCString())).retryAfterMs!
    expect(Math.round(inAnHour / 60_000)).toBe(60)
    expect((await answered(429, new Date(0).toUTCString())).retryAfterMs).toBe(0)
    expect((await answered(429, 'soon')).retryAfterMs).toBeUndefined()
    expect(await answered(204)).toMatchObject({ kind: 'failed', problem: `${base}/list.json answered 204.` })
    answerOf = () => undefined
    expect(await read({}, { timeoutMs: 100 })).toMatchObject({ kind: 'failed', timedOut: true, unreachable: true })
    expect(await read({ url: 'http://127.0.0.1:1/' })).toMatchObject({ timedOut: false, unreachable: true })
    const stopped = await read({}, { signal: AbortSignal.abort() })
    expect(stopped).toMatchObject({ kind: 'failed', ours: true, unreachable: false })
  })

  it('is not asked for offline, and one without any address says so', async () => {
    const offline = { offline: true }
    expect(await read({}, {}, offline)).toMatchObject({ problem: 'PRICETAPE_OFFLINE is set: it was not read.' })
    const bundled = { format: 'genai-prices', bundled: true }
    expect(await read(bundled, {}, offline)).toMatchObject({ kind: 'bytes', from: 'bundled' })
    expect(await read(bundled, { neverRead: false }, offline)).toMatchObject({ kind: 'failed' })
    expect(await read({ ...bundled, url: undefined })).toMatchObject({
      from: 'bundled',
      contentType: 'application/json',
    })
    expect(await read({ url: undefined })).toMatchObject({ problem: 'list has no url and nothing is bundled for it.' })
    const lost = await read({ url: 'lost.csv' }, {}, { folder: '/nowhere' })
    expect(lost).toMatchObject({ problem: expect.stringMatching(/^The file \/nowhere\/lost\.csv cannot be read: /) })
    expect(asked).toEqual([])
  })
})

describe('a list in pages', () => {
  const azure = (more: object = {}) => ({ format: 'azure', url: `${base}/1`, ...more })
  const page = (items: unknown[], next?: string) => json({ Items: items, NextPageLink: next ?? '' })

  it('is one document with the items of all pages, in their order', async () => {
    sends({ '/1': page([1, 2], `${base}/2`), '/2': page([], `${base}/3`), '/3': page([3]) })
    const said: string[] = []
    const found = await read(azure(), { progress: (what) => said.push(what) })
    expect(found).toMatchObject({ kind: 'bytes', from: 'url', http: { url: `${base}/1` } })
    expect(JSON.parse(textOf(found) as string)).toEqual({ Items: [1, 2, 3], Count: 3 })
    expect(said).toEqual(['page 1, 2 items', 'page 2, 2 items', 'page 3, 3 items'])
    expect(paths()).toEqual(['/1', '/2', '/3'])
  })

  it('is not read in part: not beside a page of another kind, over its limit, on another host, or without end', async () => {
    const problem = async (declared: object = {}, request: Partial<FetchRequest> = {}) => {
      const found = await read(azure(declared), request)
      return found.kind === 'failed' ? found.problem : found.kind
    }
    sends({ '/1': page([1], `${base}/2`), '/2': json({ Other: [] }) })
    expect(await problem()).toContain('page 2 is not a page of prices')
    const [one, two] = [page([1], `${base}/2`), page([2])]
    sends({ '/1': one, '/2': two })
    const size = String(one.body).length + String(two.body).length
    expect(await problem({ options: { maxBytes: size } })).toBe('bytes')
    expect(await problem({ options: { maxBytes: size - 1 } })).toContain(`larger than ${size - 1} bytes together`)
    sends({ '/1': page([1], 'http://127.0.0.2:1/2') })
    expect(await problem()).toContain('page 1 leads to another host')
    // The time is that of all pages together.
    const late = page([1], `${base}/late/2`)
    sends({ '/late/1': { ...late, afterMs: 300 }, '/late/2': { ...two, afterMs: 300 } })
    const declared = azure({ url: `${base}/late/1` })
    expect(await read(declared, { timeoutMs: 450 })).toMatchObject({ kind: 'failed', timedOut: true })
  })
})

describe('an index of files', () => {
  const declared = (more: object = {}) => ({ format: 'ai-price-index', url: `${base}/v1/index.json`, ...more })
  const index = (...files: unknown[]) => json({ models: files.map((file) => ({ file, aliases: ['also', 7] })) })

  it('is read with the files that it names, as one document, and not again while it is the same', async () => {
    sends({
      '/v1/index.json': index('a.json', '/b.json'),
      '/v1/a.json': json({ id: 'a' }),
      '/b.json': json({ id: 'b' }),
    })
    const said: string[] = []
    const found = await read(declared(), { progress: (what) => said.push(what) })
    expect(JSON.parse(textOf(found) as string)).toEqual({
      models: [
        { id: 'a', aliases: ['also'], file: 'a.json' },
        { id: 'b', aliases: ['also'], file: '/b.json' },
      ],
    })
    expect(said).toEqual(['file 1 of 2', 'file 2 of 2'])
    answerOf = () => ({ status: 304 })
    const known = { etag: '"1"', url: `${base}/v1/index.json` }
    expect(await read(declared(), { known })).toMatchObject({ kind: 'unchanged', http: { status: 304 } })
    expect(asked.at(-1)).toMatchObject({ path: '/v1/index.json', headers: { 'if-none-match': '"1"' } })
  })

  it.each<[string, Record<string, Answer>, string]>([
    ['is not an index', { '/v1/index.json': json({ files: [] }) }, 'it is not an index of files'],
    ['has a file without a name', { '/v1/index.json': index('a.json', '') }, 'it is not an index of files'],
    ['leads to another host', { '/v1/index.json': index('http://127.0.0.2:1/a') }, 'it names a file on another host'],
    ['names a file that is missing', { '/v1/index.json': index('a.json') }, '/v1/a.json answered 404.'],
    ['names one that is not JSON', { '/v1/index.json': index('a'), '/v1/a': { body: '{' } }, 'it names is not JSON'],
    ['is missing', {}, '/v1/index.json answered 404.'],
  ])('fails as a whole where it %s', async (_what, answers, problem) => {
    sends(answers)
    expect(await read(declared())).toMatchObject({ kind: 'failed', problem: expect.stringContaining(problem) })
  })

  it('is not larger than its limit with all its files', async () => {
    const [list, file] = [index('a.json'), json({ id: 'a' })]
    sends({ '/v1/index.json': list, '/v1/a.json': file })
    const size = String(list.body).length + String(file.body).length
    expect(await read(declared({ options: { maxBytes: size } }))).toMatchObject({ kind: 'bytes' })
    const problem = expect.stringContaining(`its files are larger than ${size - 1} bytes together`)
    expect(await read(declared({ options: { maxBytes: size - 1 } }))).toMatchObject({ problem })
  })
})
