import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { startDns } from '../../support/servers/dns.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'

const client = createSafeFetch({ allowPrivate: true })
const strict = createSafeFetch()
let receiver: Receiver
afterEach(() => receiver?.close())
afterAll(() => Promise.all([client.close(), strict.close()]))

const hook = { headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body: '{"name":"é 🎏"}' }

describe('in development a local receiver can be used', () => {
  test('the body and headers arrive as given, uncompressed answers are requested, and the answer is returned', async () => {
    receiver = await startReceiver({ answer: { status: 202, body: 'thanks' } })
    const outcome = await client.post(receiver.url, hook)
    expect(outcome).toEqual({ kind: 'answer', status: 202, response: 'thanks', durationMs: expect.any(Number) })
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: '/hook', body: hook.body })
    expect(request?.headers).toMatchObject({ ...hook.headers, 'accept-encoding': 'identity' })
    expect(request?.headers).not.toHaveProperty('transfer-encoding')
  })

  test('every status is an answer, and a redirect is not followed', async () => {
    receiver = await startReceiver()
    receiver.answerNext(
      { status: 302, headers: { location: `${receiver.url}/other` } },
      { status: 500 },
      { status: 410 },
    )
    for (const status of [302, 500, 410])
      expect(await client.post(receiver.url, hook)).toMatchObject({ kind: 'answer', status })
    expect(receiver.requests).toHaveLength(3)
  })

  test('at most 1 KB of the body is kept, without half a character or a NUL', async () => {
    receiver = await startReceiver()
    receiver.answerNext({ body: `${'a'.repeat(1023)}éé` }, { body: 'a\0b' }, { body: 'x'.repeat(300_000) })
    const bodies = []
    for (let i = 0; i < 3; i++) bodies.push(await client.post(receiver.url, hook))
    expect(bodies).toMatchObject([
      { response: 'a'.repeat(1023) },
      { response: 'a\uFFFDb' },
      { response: 'x'.repeat(1024) },
    ])
  })

  test('an address without a listener refuses the connection', async () => {
    const gone = await startReceiver()
    await gone.close()
    const outcome = await client.post(gone.url, hook)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connection_refused' })
  })

  test('requests to one endpoint use one connection, another endpoint of the same host has its own', async () => {
    const sockets = new Set<unknown>()
    receiver = await startReceiver({
      answer: (_request, response) => {
        sockets.add(response.socket)
        return { status: 200 }
      },
    })
    for (let i = 0; i < 3; i++) await client.post(receiver.url, { ...hook, endpoint: 'a' })
    expect(sockets.size).toBe(1)
    await client.post(receiver.url, { ...hook, endpoint: 'b' })
    expect(sockets.size).toBe(2)
  })

  test('an endpoint that answers before it has read the request has answered', async () => {
    const early = createServer((_request, response) => response.writeHead(413).end('too large'))
    await new Promise<void>((done) => early.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(early.address() as AddressInfo).port}/`
    const outcome = await client.post(url, { ...hook, body: 'x'.repeat(100_000) })
    expect(outcome).toMatchObject({ kind: 'answer', status: 413, response: 'too large' })
    early.closeAllConnections()
    await new Promise((done) => early.close(done))
  })

  test('a resolver that is set is asked, also where private addresses are allowed', async () => {
    receiver = await startReceiver()
    const dns = await startDns(({ type }) => (type === 'A' ? ['127.0.0.1'] : []))
    const set = createSafeFetch({ allowPrivate: true, dnsServers: [dns.server] })
    expect(await set.post(`http://set.example:${receiver.port}/`, hook)).toMatchObject({ kind: 'answer', status: 200 })
    await set.close()
    await dns.close()
  })

  test('localhost is known even where a resolver is set', async () => {
    receiver = await startReceiver()
    const set = createSafeFetch({ allowPrivate: true, dnsServers: ['127.0.0.1:9'] })
    expect(await set.post(`http://localhost:${receiver.port}/`, hook)).toMatchObject({ kind: 'answer', status: 200 })
    await set.close()
  })

  test('a stop by us in the middle is our fault', async () => {
    receiver = await startReceiver({ answer: { delayMs: 3_000 } })
    const stop = new AbortController()
    const outcome = client.post(receiver.url, { ...hook, signal: stop.signal })
    await receiver.received(1)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'platform' })
  })

  test('a client that is closed in the middle is our fault', async () => {
    receiver = await startReceiver({ answer: { delayMs: 3_000 } })
    const own = createSafeFetch({ allowPrivate: true })
    const outcome = own.post(receiver.url, hook)
    await receiver.received(1)
    await own.close()
    expect(await outcome).toMatchObject({ kind: 'platform', message: 'stopped before the answer came' })
  })
})

describe('without the development setting', () => {
  test.each(['http://127.0.0.1/', 'https://127.0.0.1/', 'https://localhost/', 'https://0x7f.1/', 'https://[::1]/'])(
    '%s is refused before any connection',
    async (url) => expect(await strict.post(url, hook)).toMatchObject({ kind: 'failed', reason: 'invalid_url' }),
  )
})
