import type { Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { client, closeAll, HOST, hook, hostile } from './support.ts'

const URL = `https://${HOST}/hook`
const HEAD = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 5000\r\n\r\n'
const PATIENCE_MS = 400
afterEach(closeAll)

async function outcomeOf(onRequest: (socket: Socket) => void, tls?: null) {
  const server = await hostile((socket) => socket.once('data', () => onRequest(socket)), { tls })
  return (await client(server.port)).post(URL, hook)
}
/** Sends this, waits until it has surely arrived, and then does the rest. */
const sendThen = (text: string, rest: (socket: Socket) => void) => (socket: Socket) => {
  socket.write(text)
  setTimeout(rest, PATIENCE_MS, socket)
}
/** What lies under TLS, so that a reset is a TCP reset and not an alert. */
const reset = (socket: Socket) => {
  const { _parent: raw } = socket as Socket & { _parent?: Socket }
  const target = raw ?? socket
  target.resetAndDestroy()
}

describe('what came of an answer that broke is kept with its status', () => {
  test('a reset in the middle of the body', async () => {
    const outcome = await outcomeOf(sendThen(`${HEAD}${'x'.repeat(312)}`, reset))
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'connection_closed',
      status: 500,
      response: 'x'.repeat(312),
      message: 'HTTP 500, then the connection was reset after 312 bytes of the body',
    })
  })

  test('a reset that comes together with the last bytes, each time', async () => {
    for (let n = 0; n < 10; n++) {
      const outcome = await outcomeOf((socket) => socket.write(`${HEAD}sorry: `, () => reset(socket)))
      expect(outcome).toMatchObject({
        status: 500,
        message: expect.stringMatching(/^HTTP 500, then the connection was reset after [07] bytes of the body$/),
      })
      await closeAll()
    }
  })

  test('a connection closed in the middle of the body', async () => {
    const outcome = await outcomeOf(sendThen(`${HEAD}sorry: `, (socket) => socket.end()))
    expect(outcome).toMatchObject({
      status: 500,
      response: 'sorry: ',
      message: 'HTTP 500, then the connection was closed after 7 bytes of the body',
    })
  })

  test('a connection closed together with the last bytes, each time', async () => {
    for (let n = 0; n < 10; n++) {
      const outcome = await outcomeOf((socket) => socket.end(`${HEAD}sorry: `))
      expect(outcome).toMatchObject({ message: 'HTTP 500, then the connection was closed after 7 bytes of the body' })
      await closeAll()
    }
  })

  test('a body that stalls', async () => {
    let askedAfterMs = Number.POSITIVE_INFINITY
    const stalled = () => {
      const begun = performance.now()
      return outcomeOf((socket) => {
        askedAfterMs = performance.now() - begun
        socket.write(`${HEAD}y`)
      })
    }
    let outcome = await stalled()
    // On a busy machine the request may come when the time is up.
    for (let tries = 0; tries < 10 && askedAfterMs > 4_000; tries++) outcome = await stalled()
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'timeout',
      status: 500,
      response: 'y',
      message: 'HTTP 500, then no complete answer within 5 s: reading the response body (1 byte of the body came)',
    })
  })

  test('a chunk whose size is not a number', async () => {
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n'
    const outcome = await outcomeOf((socket) => socket.write(chunked))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'bad_response', status: 200, response: 'hello' })
    expect(outcome).toHaveProperty('message', expect.stringMatching(/^HTTP 200, then the answer is not HTTP .*5 bytes/))
  })

  test('no more than 1 KB is kept, without half a character', async () => {
    const outcome = await outcomeOf(sendThen(`${HEAD}${'x'.repeat(1_023)}éé`, (socket) => socket.end()))
    expect(outcome).toMatchObject({ status: 500, response: 'x'.repeat(1_023) })
  })

  test('headers without a body', async () => {
    const outcome = await outcomeOf(sendThen(HEAD, reset))
    expect(outcome).toMatchObject({
      status: 500,
      response: '',
      message: 'HTTP 500, then the connection was reset after 0 bytes of the body',
    })
  })
})

describe('a connection that breaks before a status says where', () => {
  test('in the middle of the headers', async () => {
    const outcome = await outcomeOf(sendThen('HTTP/1.1 200 OK\r\nx-more: ', reset))
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'connection_closed',
      message: 'the connection was reset in the middle of the response headers',
    })
    expect(outcome).not.toHaveProperty('status')
    expect(outcome).not.toHaveProperty('response')
  })

  test('after the request, before any byte of an answer', async () => {
    const outcome = await outcomeOf((socket) => reset(socket))
    expect(outcome).toMatchObject({ message: 'the connection was reset before the answer' })
  })

  test('while the request is being sent', async () => {
    const server = await hostile((socket) => {
      socket.once('data', () => {
        socket.pause()
        setTimeout(reset, PATIENCE_MS, socket)
      })
    })
    const safe = await client(server.port)
    // More than the buffers of both sides take, and little to encrypt: all of it has to begin within 5 s.
    const outcome = await safe.post(URL, { ...hook, body: 'x'.repeat(12_000_000) })
    expect(outcome).toMatchObject({
      reason: 'connection_closed',
      message: 'the connection was reset while the request was being sent',
    })
  })

  test('in the TLS handshake', async () => {
    const outcome = await outcomeOf((socket) => socket.resetAndDestroy(), null)
    expect(outcome).toMatchObject({
      reason: 'connection_closed',
      message: 'the connection was reset during the TLS handshake',
    })
  })
})

describe('what arrives on an idle connection', () => {
  test('is not taken for the answer to the next request', async () => {
    let requests = 0
    const server = await hostile((socket) =>
      socket.on('data', () => {
        requests += 1
        socket.write('HTTP/1.1 500 Error\r\ncontent-length: 0\r\n\r\n')
        if (requests === 1) setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 20)
      }),
    )
    const safe = await client(server.port)
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 500 })
    await new Promise((done) => setTimeout(done, 100))
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 500 })
    expect(server.connections).toBe(2)
  })
})
