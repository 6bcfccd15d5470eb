import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { createTlsSessions } from '../../src/lib/safe-fetch/dial/tls-sessions.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { client, closeAll, HOST, hook, hostile, OK, open } from './support.ts'

const URL = `https://${HOST}/hook`
const KEPT = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const answering = (text: string) => (socket: Socket) => socket.on('data', () => socket.write(text))

afterEach(closeAll)

describe('a connection that is kept', () => {
  test('is used again five seconds later', async () => {
    const server = await hostile(answering(KEPT))
    const safe = await client(server.port)
    await safe.post(URL, hook)
    await sleep(5_000)
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer' })
    expect(server.connections).toBe(1)
  })

  test('is given up a second before its server said it closes it', async () => {
    const announced = KEPT.replace('\r\n\r\n', '\r\nkeep-alive: timeout=2\r\n\r\n')
    const server = await hostile(answering(announced))
    const safe = await client(server.port)
    await safe.post(URL, hook)
    await sleep(1_300)
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer' })
    expect(server.connections).toBe(2)
  })

  test('carries nothing once its host resolves to a private address, and nothing to another address', async () => {
    let addresses = ['127.0.0.1']
    const first = await hostile(answering(KEPT))
    const other = await hostile(answering(KEPT), { host: '127.0.0.3', port: first.port })
    const safe = await client(first.port, ({ type }) => (type === 'A' ? addresses : []))
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer' })
    addresses = ['127.0.0.1', '10.0.0.1']
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'failed', reason: 'private_address' })
    addresses = ['127.0.0.3']
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer' })
    expect([first.connections, other.connections]).toEqual([1, 1])
  })

  test('is one of 512 of the process at most: the one that is idle longest is closed', async () => {
    const sockets = new Map<string, unknown>()
    // By itself the server would close idle connections after five seconds.
    const server = createServer({ keepAliveTimeout: 60_000 }, ({ headers }, response) => {
      sockets.set(String(headers['webhook-id']), response.socket)
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const safe = createSafeFetch({ allowPrivate: true })
    open.push(
      () => new Promise((done) => server.close(done)),
      () => safe.close(),
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const send = (endpoint: string) => safe.post(url, { headers: { 'webhook-id': endpoint }, body: '', endpoint })
    for (let n = 0; n < 513; n++) await send(`e${n}`)
    const [longest, next] = [sockets.get('e0'), sockets.get('e1')]
    await Promise.all([send('e0'), send('e1')])
    expect([sockets.get('e0') === longest, sockets.get('e1') === next]).toEqual([false, true])
  })
})

describe('a TLS session', () => {
  test('spares the next connection of its endpoint the certificate, and no one else’s', async () => {
    const resumed: boolean[] = []
    const server = await hostile((socket) => {
      resumed.push((socket as TLSSocket).isSessionReused())
      socket.once('data', () => socket.end(OK))
    })
    const safe = await client(server.port)
    for (const endpoint of ['a', 'a', 'b']) {
      expect(await safe.post(URL, { ...hook, endpoint })).toMatchObject({ kind: 'answer' })
      await sleep(20)
    }
    expect(resumed).toEqual([false, true, false])
  })

  test('is resumed for an hour after a certificate was seen, however often it is renewed meanwhile', () => {
    let now = 0
    const kept = createTlsSessions(() => now).of('a')
    const ticket = (text: string) => Buffer.from(text)
    kept.keep(ticket('first'), true)
    now = 3_599_999
    kept.keep(ticket('second'), false)
    expect(kept.usable()).toEqual(ticket('second'))
    now = 3_600_000
    expect(kept.usable()).toBeUndefined()
    kept.keep(ticket('third'), true)
    expect(kept.usable()).toEqual(ticket('third'))
    kept.forget()
    kept.keep(ticket('of a connection that began with the forgotten one'), false)
    expect(kept.usable()).toBeUndefined()
  })

  test('is forgotten where 2,000 endpoints came after it', () => {
    const sessions = createTlsSessions()
    for (let n = 0; n <= 2_000; n++) sessions.of(`endpoint ${n}`).keep(Buffer.from('x'), true)
    expect([sessions.of('endpoint 0').usable(), sessions.of('endpoint 1').usable()]).toEqual([
      undefined,
      Buffer.from('x'),
    ])
  })
})
