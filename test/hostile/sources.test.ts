import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import { type Certificate, certificateFor } from '../support/servers/tls.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { answering, authority, client, closeAll, HOST, hostile, OK, strictClient } from './support.ts'

const URL = `https://${HOST}/prices.json`
afterAll(closeAll)

const response = (status: string, headers: string[], body: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from([`HTTP/1.1 ${status}`, ...headers, 'connection: close', '', ''].join('\r\n')),
    Buffer.from(body),
  ])

describe('a source is read', () => {
  test.each([
    ['as it is', [], 'prices'],
    ['unpacked from gzip', ['content-encoding: gzip'], gzipSync('prices')],
    ['unpacked from brotli', ['content-encoding: br'], brotliCompressSync('prices')],
  ])('%s', async (_what, headers, body) => {
    const safe = await client((await answering(response('200 OK', ['ETag: "1"', ...headers], body))).port)
    const outcome = await safe.get(URL)
    expect(outcome).toMatchObject({ kind: 'answer', status: 200, headers: { etag: '"1"' }, url: URL })
    expect(outcome.kind === 'answer' && Buffer.from(outcome.bytes).toString()).toBe('prices')
  })

  test('with its validators, under an honest name, and 304 says that nothing changed', async () => {
    let request = ''
    const server = await hostile((socket) =>
      socket.once('data', (data) => {
        request = data.toString()
        socket.end(response('304 Not Modified', []))
      }),
    )
    const safe = await client(server.port)
    const outcome = await safe.get(URL, { etag: '"abc"', lastModified: 'Sat, 21 Nov 2026 00:00:00 GMT' })
    expect(outcome).toMatchObject({ kind: 'answer', status: 304, bytes: new Uint8Array() })
    expect(request).toMatch(/^if-none-match: "abc"\r$/m)
    expect(request).toMatch(/^if-modified-since: Sat, 21 Nov 2026 00:00:00 GMT\r$/m)
    expect(request).toMatch(/^user-agent: pricetape\//m)
  })

  test('in development from a local server, over plain HTTP', async () => {
    const receiver = await startReceiver({ answer: { body: 'local' } })
    const safe = createSafeFetch({ allowPrivate: true })
    expect(await safe.get(receiver.url)).toMatchObject({ kind: 'answer', status: 200, url: receiver.url })
    await Promise.all([safe.close(), receiver.close()])
  })
})

describe('redirects are followed, each checked like the first', () => {
  /** A server of many paths: each path's value is where it redirects to. */
  async function redirecting(paths: Record<string, string>, tls?: Certificate, status = '302 Found') {
    const seen: string[] = []
    const server = await hostile(
      (socket) =>
        socket.once('data', (data) => {
          const request = data.toString()
          seen.push(request)
          const to = paths[request.split(' ')[1] ?? '']
          socket.end(to === undefined ? OK : response(status, [`location: ${to}`, 'content-length: 0']))
        }),
      { tls },
    )
    return { ...server, seen }
  }

  test('five are followed, relative ones too', async () => {
    const server = await redirecting({
      '/0': '1',
      '/1': '/2',
      '/2': `https://${HOST}/3`,
      '/3': '/4?x=1',
      '/4?x=1': '/5#part',
    })
    const safe = await client(server.port)
    expect(await safe.get(`https://${HOST}/0`)).toMatchObject({ kind: 'answer', status: 200, url: `https://${HOST}/5` })
  })

  test.each([
    ['301 Moved Permanently', true],
    ['303 See Other', true],
    ['307 Temporary Redirect', true],
    ['308 Permanent Redirect', true],
    ['300 Multiple Choices', false],
    ['305 Use Proxy', false],
    ['201 Created', false],
  ])('%s leads to its location: %s', async (status, leads) => {
    const server = await redirecting({ '/prices.json': '/new.json' }, undefined, status)
    const outcome = await (await client(server.port)).get(URL)
    const is = leads
      ? { status: 200, url: `https://${HOST}/new.json` }
      : { status: Number(status.slice(0, 3)), url: URL }
    expect(outcome).toMatchObject({ kind: 'answer', ...is })
    expect(await (await client(server.port)).get(URL, { followsNone: true })).toMatchObject({ url: URL })
  })

  test('a sixth is not, so that a circle ends', async () => {
    const server = await redirecting({ '/a': '/b', '/b': '/a' })
    const safe = await client(server.port)
    expect(await safe.get(`https://${HOST}/a`)).toMatchObject({ kind: 'failed', reason: 'bad_redirect' })
    expect(server.seen).toHaveLength(6)
  })

  test.each([
    ['a metadata address', 'https://169.254.169.254/latest/meta-data/', 'invalid_url'],
    ['another port', `https://${HOST}:8443/`, 'invalid_url'],
    ['a file', 'file:///etc/passwd', 'invalid_url'],
    ['a local name', 'https://metadata.google.internal/', 'invalid_url'],
    ['a host with a private address', 'https://intern.example.com/', 'private_address'],
    ['plain HTTP', `http://${HOST}/`, 'bad_redirect'],
    ['nothing that is a URL', 'https://[', 'bad_redirect'],
  ])('one to %s is refused', async (_what, location, reason) => {
    const server = await redirecting({ '/prices.json': location })
    const safe = await client(server.port, ({ name }) => (name === HOST ? ['127.0.0.1'] : ['10.0.0.1']))
    expect(await safe.get(URL)).toMatchObject({ kind: 'failed', reason })
    expect(server.seen).toHaveLength(1)
  })

  test('a header for one origin is not carried to another', async () => {
    const tls = certificateFor(authority, [HOST, 'other.example.com'])
    const server = await redirecting({ '/prices.json': 'https://other.example.com/x' }, tls)
    const safe = await client(server.port)
    expect(await safe.get(URL, { headers: { authorization: 'Bearer t' } })).toMatchObject({ status: 200 })
    expect(server.seen.map((request) => /authorization: Bearer t/.test(request))).toEqual([true, false])
  })
})

describe('a hostile source costs little', () => {
  const limits = { maxBytes: 1_000_000, timeoutMs: 2_000, idleMs: 600 }
  /** A better bomb takes seconds to pack, and is unpacked the same. */
  const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

  test.each([
    ['gzip', gzipSync(Buffer.alloc(200_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(200_000_000), FAST)],
  ])('a %s bomb is left at the size limit', async (encoding, bomb) => {
    const safe = await client((await answering(response('200 OK', [`content-encoding: ${encoding}`], bomb))).port)
    const before = process.memoryUsage().rss
    expect(await safe.get(URL, limits)).toMatchObject({ kind: 'failed', reason: 'too_large' })
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  })

  test('one encoding over another is not unpacked', async () => {
    const twice = gzipSync(gzipSync('prices'))
    const safe = await client((await answering(response('200 OK', ['content-encoding: gzip, gzip'], twice))).port)
    expect(await safe.get(URL)).toMatchObject({ kind: 'failed', reason: 'bad_response' })
  })

  test.each([
    ['damaged', Buffer.concat([gzipSync('prices').subarray(0, 12), Buffer.from('????????????')])],
    ['cut off', gzipSync(Buffer.from('prices'.repeat(1000))).subarray(0, 30)],
    ['no gzip at all', 'prices'],
  ])('a %s gzip body is not an answer', async (_what, body) => {
    const safe = await client((await answering(response('200 OK', ['content-encoding: gzip'], body))).port)
    expect(await safe.get(URL)).toMatchObject({ kind: 'failed', reason: 'bad_response' })
  })

  test('an endless body is left at the size limit', async () => {
    const server = await hostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = setInterval(() => socket.write(Buffer.alloc(65_536)), 2)
      socket.on('close', () => clearInterval(pour))
    })
    expect(await (await client(server.port)).get(URL, limits)).toMatchObject({ kind: 'failed', reason: 'too_large' })
  })

  test('a body that drips ends at the whole time, one that stops at the idle time', async () => {
    const drip = (every: number) =>
      hostile((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n')
        socket.write(gzipSync('x').subarray(0, 10))
        const timer = setInterval(() => socket.write(Buffer.from([0, 0, 0, 255, 255])), every)
        socket.on('close', () => clearInterval(timer))
      })
    const [slow, stopped] = [await client((await drip(100)).port), await client((await drip(60_000)).port)]
    const started = performance.now()
    const outcomes = await Promise.all([slow.get(URL, limits), stopped.get(URL, limits)])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' })
    const [first, second] = outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.durationMs : 0))
    expect(first).toBeGreaterThanOrEqual(1_990)
    expect(second).toBeLessThan(1_990)
    expect(performance.now() - started).toBeLessThan(allowedMs(4_000))
  })

  test('a stop by us is our fault', async () => {
    const safe = await client((await hostile(() => {})).port)
    expect(await safe.get(URL, { signal: AbortSignal.timeout(200) })).toMatchObject({ kind: 'platform' })
  })

  test('a source on a private address is refused', async () => {
    const safe = await strictClient(['192.168.0.1'])
    expect(await safe.get(URL)).toMatchObject({ kind: 'failed', reason: 'private_address' })
  })
})
