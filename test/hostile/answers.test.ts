import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateFor, testAuthority } from '../support/servers/tls.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { answering, authority, client, closeAll, HOST, hook, hostile, OK, outcomeOf } from './support.ts'

const URL = `https://${HOST}/hook`
const LATE_MS = 5_000
/** Says how many connections it has had. */
const COUNTING_SERVER = `
  const { parentPort, workerData } = require('node:worker_threads')
  let connections = 0
  const answer = (request, response) => response.end(connections + ' connection(s)')
  const server = require('node:https').createServer(workerData, answer)
  server.on('secureConnection', () => (connections += 1))
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`
afterAll(closeAll) // once, because these tests wait at the same time

/** What became of a request to a server. */
async function outcomeAt(server: { port: number }, more: object = {}) {
  const safe = await client(server.port)
  return outcomeOf(() => safe.post(URL, { ...hook, ...more }))
}

describe.concurrent('an endpoint that answers late has failed after five seconds, whatever it does meanwhile', () => {
  async function late(server: { port: number }, message: RegExp, status?: number) {
    let outcome = await outcomeAt(server)
    // One that was slow waited for the headers when the time was over, though the body is what is late.
    const wasSlow = () => status !== undefined && outcome.kind === 'failed' && outcome.status === undefined
    for (let slow = 0; wasSlow() && ++slow < 4; ) outcome = await outcomeAt(server)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout', message: expect.stringMatching(message) })
    if (outcome.kind !== 'failed') throw new Error('unreachable')
    expect(outcome.status).toBe(status)
    expect(outcome.durationMs).toBeGreaterThanOrEqual(LATE_MS - 5)
    expect(outcome.durationMs).toBeLessThan(LATE_MS + allowedMs(2_000))
  }

  test('it never says anything', async () => late(await hostile(() => {}), /waiting for the response headers/))

  test('it never says anything, and its connection is closed when time is up', async () => {
    let closed = 0
    const server = await hostile((socket) => void socket.resume().on('close', () => closed++))
    const { get, post } = await client(server.port)
    const url = `https://${HOST}/`
    const timedOut = { kind: 'failed', reason: 'timeout' }
    expect(await Promise.all([get(url, { timeoutMs: 5_000 }), post(url, hook)])).toMatchObject([timedOut, timedOut])
    await expect.poll(() => closed).toBe(2)
  })

  test('it hangs in the TLS handshake', async () => late(await hostile(() => {}, { tls: null }), /TLS handshake/))

  test('its headers drip', async () => {
    const server = await hostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x-more: y\r\n'), 100)
      socket.on('close', () => clearInterval(drip))
    })
    await late(server, /waiting for the response headers/)
  })

  test('it sends interim answers forever', async () => {
    const server = await hostile((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), 100)
      socket.on('close', () => clearInterval(drip))
    })
    await late(server, /waiting for the response headers/)
  })

  test('its body drips: the status alone is not an answer', async () => {
    const server = await hostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const drip = setInterval(() => socket.write('1\r\nx\r\n'), 100)
      socket.on('close', () => clearInterval(drip))
    })
    await late(server, /reading the response body/, 200)
  })

  test('it stops in the middle of a body whose length it has declared', async () => {
    const server = await hostile((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
    await late(server, /reading the response body/, 200)
  })

  test('it does not read a request of several megabytes', async () => {
    const server = await hostile((socket) => socket.pause())
    const outcome = await outcomeAt(server, { body: JSON.stringify('é'.repeat(4_000_000)) })
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' })
  })

  test('an answer within the five seconds is in time', async () => {
    let answeredAt = 0
    const answer = (socket: { end: (bytes: string) => void }) => {
      answeredAt = performance.now()
      socket.end(OK)
    }
    const server = await hostile((socket) => socket.once('data', () => sleep(3_500).then(() => answer(socket))))
    let startedAt: number
    let outcome: Awaited<ReturnType<typeof outcomeOf>>
    // On a machine under load this server itself may be late.
    do {
      startedAt = performance.now()
      outcome = await outcomeAt(server)
    } while (answeredAt - startedAt > LATE_MS - 500)
    expect(outcome).toMatchObject({ kind: 'answer', status: 200 })
  })
})

describe('a broken answer has its reason', () => {
  test('a connection reset before the answer', async () => {
    const server = await hostile((socket) => socket.once('data', () => socket.destroy()))
    expect(await outcomeAt(server)).toMatchObject({ kind: 'failed', reason: 'connection_closed' })
  })

  test('a TCP reset in the TLS handshake', async () => {
    const server = await hostile((socket) => socket.once('data', () => socket.resetAndDestroy()), { tls: null })
    expect(await outcomeAt(server)).toMatchObject({ kind: 'failed', reason: 'connection_closed' })
  })

  test('a half-closed connection without an answer', async () => {
    const server = await hostile((socket) => socket.end())
    expect(await outcomeAt(server)).toMatchObject({ kind: 'failed', reason: 'connection_closed' })
  })

  test('a body cut off before its declared length', async () => {
    const server = await answering('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')
    expect(await outcomeAt(server)).toMatchObject({ kind: 'failed', reason: 'connection_closed', status: 200 })
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two differing lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['a chunk size that is not a number', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
    ['headers of a megabyte', `HTTP/1.1 200 OK\r\nx-large: ${'a'.repeat(1_000_000)}\r\n\r\n`],
    ['a hundred thousand headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n`],
  ])('%s', async (_what, text) => {
    expect(await outcomeAt(await answering(text))).toMatchObject({ kind: 'failed', reason: 'bad_response' })
  })

  test('plain HTTP on the TLS port', async () => {
    const server = await answering(OK, { tls: null })
    expect(await outcomeAt(server)).toMatchObject({ kind: 'failed', reason: 'tls_failed' })
  })
})

describe('a connection that the server closes while it is idle', () => {
  const KEPT = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

  test.each([0, 1, 5])('%i ms after an answer costs no delivery', async (ms) => {
    const server = await hostile((socket) =>
      socket.on('data', () => {
        socket.write(KEPT)
        setTimeout(() => socket.end(), ms)
      }),
    )
    const safe = await client(server.port)
    for (let i = 0; i < 40; i++) {
      expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
      await sleep(i % 3 === 0 ? ms : 0)
    }
  })

  test('is not mistaken for a refusal: a new connection that is closed is one failed attempt, sent once', async () => {
    let requests = 0
    const server = await hostile((socket) =>
      socket.on('data', () => {
        requests += 1
        if (requests === 1) socket.write(KEPT)
        else socket.destroy()
      }),
    )
    const safe = await client(server.port)
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer' })
    expect(await safe.post(URL, hook)).toMatchObject({
      kind: 'failed',
      reason: 'connection_closed',
      earlierPosts: [
        {
          startedAfterMs: expect.any(Number),
          durationMs: expect.any(Number),
          message: 'the connection was closed before the answer',
        },
      ],
    })
    expect(requests).toBe(3) // once on the open connection, once on a new one
    const third = await safe.post(URL, hook)
    expect(third).toMatchObject({ kind: 'failed', reason: 'connection_closed' })
    expect(third).not.toHaveProperty('earlierPosts')
    expect(requests).toBe(4)
  })

  test('every POST that an endpoint receives is reported', async () => {
    let requests = 0
    const server = await hostile((socket) => {
      let answered = false
      socket.on('data', () => {
        requests += 1
        if (answered) return socket.destroy()
        socket.write(KEPT)
        answered = true
      })
    })
    const safe = await client(server.port)
    let reported = 0
    for (let i = 0; i < 24; i++) {
      const outcome = await safe.post(URL, hook)
      expect(outcome).toMatchObject({ kind: 'answer', status: 200 })
      reported += 1 + (outcome.earlierPosts?.length ?? 0)
    }
    expect(requests).toBeGreaterThan(24)
    expect(reported).toBe(requests)
  })
})

test('many requests in turn use one connection, however fast their answers come', async () => {
  // In a thread of its own, so that an answer may come while this thread is still writing.
  const worker = new Worker(COUNTING_SERVER, { eval: true, workerData: certificateFor(authority, [HOST]) })
  const [port] = await once(worker, 'message')
  const safe = await client(port)
  let last: Awaited<ReturnType<typeof safe.post>> | undefined
  for (let i = 0; i < 500; i++) last = await safe.post(URL, hook)
  expect(last).toMatchObject({ kind: 'answer', response: '1 connection(s)' })
  await worker.terminate()
})

describe('TLS is verified against the host name', () => {
  test.each([
    ['of another host', certificateFor(authority, ['other.example.com']), /does not match|altname/i],
    ['of the address instead of the name', certificateFor(authority, ['127.0.0.1']), /altname/i],
    ['that has expired', certificateFor(authority, [HOST], { expired: true }), /expired/],
    ['of an authority no one trusts', certificateFor(testAuthority('Stranger'), [HOST]), /certificate/],
  ])('a certificate %s is refused', async (_what, tls, message) => {
    const server = await answering(OK, { tls })
    const outcome = await outcomeAt(server)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls_failed', message: expect.stringMatching(message) })
  })

  test('the environment cannot turn verification off', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const server = await answering(OK, { tls: certificateFor(testAuthority('Stranger'), [HOST]) })
      expect(await outcomeAt(server)).toMatchObject({ kind: 'failed', reason: 'tls_failed' })
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })
})

describe('nothing is followed or unpacked', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'https://127.0.0.2/',
    'https://hooks.example.com/elsewhere',
    'file:///etc/passwd',
  ])('a redirect to %s is an answer like any other', async (location) => {
    const server = await answering(
      `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`,
    )
    expect(await outcomeAt(server)).toMatchObject({ kind: 'answer', status: 307 })
    expect(server.connections).toBe(1)
  })

  test('a compressed body is not asked for and not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    const outcome = await outcomeAt(await answering(Buffer.concat([Buffer.from(head), bomb])))
    expect(outcome).toMatchObject({ kind: 'answer', status: 200 })
    if (outcome.kind === 'answer') expect(Buffer.byteLength(outcome.response)).toBeLessThanOrEqual(1024)
  })

  test('of an endless body little is read, and memory stays flat', async () => {
    let sent = 0
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')])
    const server = await hostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const pour = setInterval(() => {
        socket.write(chunk)
        sent += chunk.length
      }, 2)
      socket.on('close', () => clearInterval(pour))
    })
    const safe = await client(server.port)
    const before = process.memoryUsage().rss
    for (let i = 0; i < 20; i++) {
      const outcome = await safe.post(URL, hook)
      expect(outcome).toMatchObject({ kind: 'answer', status: 200, response: 'x'.repeat(1024) })
    }
    expect(sent / 20).toBeLessThan(1_000_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })
})

test('no proxy setting of the environment is used', async () => {
  const proxy = await hostile(() => {}, { tls: null })
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  const before = Object.fromEntries(names.map((name) => [name, process.env[name]]))
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`
  try {
    expect(await outcomeAt(await answering(OK))).toMatchObject({ kind: 'answer', status: 200 })
    expect(proxy.connections).toBe(0)
  } finally {
    for (const name of names) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
})
