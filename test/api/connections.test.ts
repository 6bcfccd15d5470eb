import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import type { ConnectionLimits } from '../../src/api/serving/connection-rules.ts'
import { readConfig } from '../../src/lib/config.ts'
import { buildServer } from '../../src/server.ts'
import { testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { dial, held, rawGet, serveConnections } from '../support/servers/raw-http.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

const LARGE = Buffer.alloc(32 * 1024 * 1024, 'large ')

/** The product's limits, shortened so that a test can wait for them. */
const SHORT = { headersMs: 500, requestMs: 800, keepAliveMs: 500, stalledMs: 600, answerMs: 4_000, closeMs: 500 }
/** A busy machine may read a request late. */
const LATE = { headersMs: 60_000, requestMs: 60_000, stalledMs: 60_000 }

describe('the connections of the API', () => {
  const db = testDatabase()
  const started: Api[] = []
  const listening = async (limits: Partial<ConnectionLimits> = {}, env: Record<string, string> = {}) => {
    const server = await testServer(db.sql, env, { ...SHORT, ...limits })
    started.push(server)
    await server.listen({ port: 0, host: '127.0.0.1' })
    return { server: server.server, port: (server.server.address() as { port: number }).port, api: server }
  }
  const serving = (limits: Partial<ConnectionLimits>, handler: RequestListener) =>
    serveConnections({ ...SHORT, ...limits }, handler)
  afterAll(async () => {
    for (const server of started) await server.close()
  })
  const untilHeld = async (server: Api['server'], count: number, ms: number) => {
    const until = performance.now() + ms
    while ((await held(server)) > count && performance.now() < until) await sleep(50)
    return held(server)
  }

  it('are closed after a malformed request: 800 of them are gone after a few seconds', async () => {
    // Only the wait after an answer is short.
    const { server, port } = await listening({ perAddress: 1_000, ...LATE })
    // Paused clients never notice that the server is done: they never close by themselves.
    const dials = Array.from({ length: 800 }, () => dial(port, 'NONSENSE\r\n\r\n', { paused: true }))
    const clients = await Promise.all(dials)
    expect(await untilHeld(server, 0, 30_000)).toBe(0)
    for (const { socket } of clients) socket.resume()
    await Promise.all(clients.map((client) => client.closed))
    expect(clients.every((client) => client.received().startsWith('HTTP/1.1 400 '))).toBe(true)
  })

  it('are closed when they speak TLS, send nothing, or send a head that never ends', async () => {
    const { server, port } = await listening()
    const hello = Buffer.from('16030100c8010000c40303', 'hex')
    const bytes = [hello, '', 'GET / HTTP/1.1\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(60_000)}`]
    const clients = await Promise.all(bytes.flatMap((text) => [dial(port, text), dial(port, text)]))
    const drip = await dial(port, 'GET / HTTP/1.1\r\n')
    const dripping = setInterval(() => drip.socket.write('a: b\r\n'), 100)
    await Promise.all([...clients, drip].map((client) => client.closed))
    clearInterval(dripping)
    expect(await untilHeld(server, 0, 20_000)).toBe(0)
    expect(drip.received()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
  })

  it('are closed when a body does not arrive', async () => {
    const { port } = await listening()
    const slow = await dial(port, 'POST /v1/providers HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{')
    const dripping = setInterval(() => slow.socket.write(' '), 100)
    await slow.closed
    clearInterval(dripping)
  })

  it('are closed after a while without a request', async () => {
    const { port } = await listening()
    const idle = await dial(port, rawGet('/healthz'))
    await idle.closed
    expect(idle.received()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('are closed when the client does not read, and memory stays flat with 60 that pipeline requests', async () => {
    const { server, port } = await listening({ stalledMs: 1_500 })
    await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).arrayBuffer()
    const before = process.memoryUsage().rss
    const requests = rawGet('/openapi.json').repeat(9)
    const clients = await Promise.all(Array.from({ length: 60 }, () => dial(port, requests, { paused: true })))
    let peak = before
    const until = performance.now() + 15_000
    while ((await held(server)) > 0 && performance.now() < until) {
      peak = Math.max(peak, process.memoryUsage().rss)
      await sleep(50)
    }
    expect(await held(server)).toBe(0)
    expect(peak - before).toBeLessThan(100_000_000)
    for (const { socket } of clients) socket.destroy()
  })

  it('are closed when the client takes an answer too slowly, though it takes some of it', async () => {
    const { server, port } = await serving({ answerMs: 1_500, stalledMs: 60_000 }, (_, response) => {
      response.end(LARGE)
    })
    const slow = await dial(port, rawGet('/large'), { paused: true })
    const reading = setInterval(() => slow.socket.read(1_000), 100)
    expect(await untilHeld(server, 0, 20_000)).toBe(0)
    clearInterval(reading)
    slow.socket.destroy()
    server.close()
  })

  it('have their turn while a large answer is sent on another', async () => {
    const sockets: Socket[] = []
    let sentBefore = LARGE.length
    const { server, port } = await serving({ ...LATE, answerMs: 60_000, keepAliveMs: 60_000 }, (request, response) => {
      if (request.url === '/other') sentBefore = Math.min(sentBefore, sockets.at(-1)!.bytesWritten)
      else {
        sockets.push(request.socket)
        other.socket.write(rawGet('/other'))
      }
      response.end(request.url === '/other' ? 'other' : LARGE)
    })
    const other = await dial(port)
    // On a busy machine the other request may come late. Where the large answer is sent in one piece, it always does.
    for (let tries = 0; tries < 10 && sentBefore >= LARGE.length / 2; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}/large`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(LARGE)).toBe(true)
    }
    expect(sentBefore).toBeLessThan(LARGE.length / 2)
    other.socket.destroy()
    server.close()
  })

  it('are closed after a large answer that needs no key when more requests wait on them', async () => {
    const { port } = await listening()
    const client = await dial(port, rawGet('/docs/static/swagger-ui-bundle.js') + rawGet('/healthz').repeat(3))
    await client.closed
    const [head, body] = client.received().split('\r\n\r\n', 2) as [string, string]
    expect(Number(/content-length: (\d+)/.exec(head)![1])).toBeGreaterThan(1_000_000)
    expect(client.received().length - head.length - 4).toBe(Number(/content-length: (\d+)/.exec(head)![1]))
    expect(body).not.toBe('')
  })

  it('go on where answers are large only together', async () => {
    const { server, port } = await serving({}, (_request, response) => void response.end(Buffer.alloc(20_000)))
    const client = await dial(port, rawGet('/part').repeat(8))
    await client.closed
    expect(client.received().match(/HTTP\/1\.1 200/g)).toHaveLength(8)
    server.close()
  })

  it('leave no line in the log when their clients leave in the middle of a large answer', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const api = await buildServer({ sql: db.sql, config: readConfig({}), log }, SHORT)
    started.push(api)
    await api.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.server.address() as AddressInfo
    const client = await dial(port)
    client.socket.once('data', () => client.socket.resetAndDestroy())
    client.socket.write(rawGet('/docs/static/swagger-ui-bundle.js'))
    await client.closed
    expect(client.received().length).toBeLessThan(1_000_000)
    expect(await untilHeld(api.server, 0, 20_000)).toBe(0)
    expect(lines).toEqual([])
  })

  it('answer pipelined requests in their order, one at a time', async () => {
    const { api, port } = await listening()
    const client = await dial(port, ['/', '/healthz', '/nothing', '/readyz/reads'].map((path) => rawGet(path)).join(''))
    await client.closed
    const statuses = [...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])
    expect(statuses).toEqual(['200', '200', '404', '200'])
    expect(client.received()).toMatch(/pricetape.*"ok".*not_found.*"reads":true/s)
    expect(api.server.listening).toBe(true)
  })

  it('take turns: one that pipelines 9 requests does not hold up the request of another', async () => {
    const answered: string[] = []
    const { server, port } = await serving({}, (request, response) => {
      // The other client's request arrives while the first of the many is answered.
      if (answered.length === 0) other.socket.write(rawGet('/other'))
      for (const until = performance.now() + 5; performance.now() < until; );
      answered.push(request.url!)
      response.end()
    })
    const other = await dial(port)
    const pipelining = await dial(port, rawGet('/many').repeat(9))
    await Promise.all([other.closed, pipelining.closed])
    expect(answered.filter((path) => path === '/many')).toHaveLength(9)
    expect(answered.indexOf('/other')).toBeLessThan(5)
    server.close()
  })

  it('are closed when more than 8 requests wait on one of them', async () => {
    const { port } = await listening()
    const all = await dial(port, rawGet('/healthz').repeat(9))
    await all.closed
    expect(all.received().match(/HTTP\/1\.1 200/g)).toHaveLength(9)
    const tooMany = await dial(port, rawGet('/healthz').repeat(10))
    await tooMany.closed
    expect(tooMany.received().match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(0)
  })

  it('are limited per client address: a new one closes the one of its address that waits longest', async () => {
    const { server, port } = await listening({ perAddress: 3, headersMs: 20_000, requestMs: 20_000 })
    const neighbour = await dial(port, '', { localAddress: '127.0.0.9' })
    const clients = []
    for (let n = 0; n < 4; n++) clients.push(await dial(port))
    await clients[0]!.closed
    expect(await held(server)).toBe(4)
    expect(neighbour.socket.destroyed).toBe(false)
    // One that leaves by itself makes room for one more, not for as many as before.
    clients[3]!.socket.destroy()
    expect(await untilHeld(server, 3, 5_000)).toBe(3)
    for (let n = 0; n < 2; n++) clients.push(await dial(port))
    await clients[1]!.closed
    expect(await held(server)).toBe(4)
    for (const { socket } of [...clients, neighbour]) socket.destroy()
  })

  it('of a trusted proxy are not limited per address', async () => {
    const env = { PRICETAPE_TRUSTED_PROXIES: '127.0.0.1' }
    const { server, port } = await listening({ perAddress: 3, headersMs: 20_000, requestMs: 20_000 }, env)
    const clients = await Promise.all(Array.from({ length: 8 }, () => dial(port)))
    await vi.waitFor(async () => expect(await held(server)).toBe(8), 5_000)
    for (const { socket } of clients) socket.destroy()
  })

  it('are limited in all: a client is served while others hold every connection', async () => {
    const limits = { connections: 20, perAddress: 40, headersMs: 20_000, requestMs: 20_000, keepAliveMs: 20_000 }
    const { server, port } = await listening(limits)
    const clients = await Promise.all(Array.from({ length: 20 }, () => dial(port, 'GET / HTTP/1.1\r\n')))
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    expect(answer.status).toBe(200)
    expect(await untilHeld(server, 20, 5_000)).toBe(20)
    for (const { socket } of clients) socket.destroy()
  })

  it('do not hold the server up when it stops, whatever their clients do', async () => {
    const { api, port } = await listening({
      headersMs: 60_000,
      requestMs: 60_000,
      keepAliveMs: 60_000,
      stalledMs: 60_000,
    })
    const unread = rawGet('/docs/static/swagger-ui-bundle.js').repeat(9)
    const bytes = ['', 'NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\n', rawGet('/healthz'), unread]
    const clients = await Promise.all(bytes.map((text) => dial(port, text, { paused: true })))
    await sleep(300)
    const stopping = performance.now()
    await api.close()
    expect(performance.now() - stopping).toBeLessThan(allowedMs(2_000))
    for (const { socket } of clients) socket.destroy()
  })

  it('without a Host header, or with an unknown expectation, get an answer in the shape of every other', async () => {
    const { port } = await listening()
    const nameless = await dial(port, 'GET / HTTP/1.1\r\n\r\n')
    const expecting = await dial(port, rawGet('/healthz', 'expect: the unexpected\r\n'))
    await Promise.all([nameless.closed, expecting.closed])
    expect(nameless.received()).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_query"/s)
    expect(expecting.received()).toMatch(/^HTTP\/1\.1 417 .*"code":"expectation_failed"/s)
  })
})
