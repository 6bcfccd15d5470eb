import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'

export type ReceivedRequest = {
  at: Date
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Header names and values as they came, in order, for tests of the wire. */
  rawHeaders: string[]
  body: string
  /** The body's bytes as they came. */
  raw: Buffer
}

/** Only ends what hangs. */
const PATIENCE_MS = 300_000

export type Answer = { status?: number; delayMs?: number; body?: string; headers?: Record<string, string> }
/** What to answer; or a function that does to the response what it likes. */
export type Behaviour = Answer | ((request: ReceivedRequest, response: ServerResponse) => Answer | undefined)

/**
 * A programmable receiver, by default on 127.0.0.1. It answers with the queued answers first, then with the usual one.
 * @param options.tls key and certificate make it HTTPS
 */
export async function startReceiver(
  options: { answer?: Behaviour; tls?: { key: string; cert: string }; host?: string } = {},
) {
  const { host = '127.0.0.1' } = options
  const requests: ReceivedRequest[] = []
  const queue: Behaviour[] = []
  let usual: Behaviour = options.answer ?? { status: 200 }
  let waiting: (() => void)[] = []

  const handler: Parameters<typeof createServer>[1] = (message, response) => {
    const chunks: Buffer[] = []
    message.on('error', () => {})
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', async () => {
      const raw = Buffer.concat(chunks)
      const request: ReceivedRequest = {
        at: new Date(),
        method: message.method ?? '',
        path: message.url ?? '',
        headers: message.headers,
        rawHeaders: message.rawHeaders,
        body: raw.toString('utf8'),
        raw,
      }
      requests.push(request)
      for (const wake of waiting.splice(0)) wake()
      const behaviour = queue.shift() ?? usual
      const answer = typeof behaviour === 'function' ? behaviour(request, response) : behaviour
      if (!answer) return
      if (answer.delayMs) await sleep(answer.delayMs, undefined, { ref: false })
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '')
    })
  }
  const server = options.tls ? createTlsServer(options.tls, handler) : createServer(handler)
  await new Promise<void>((done) => server.listen(0, host, done))
  const { port } = server.address() as AddressInfo

  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}/hook`,
    port,
    requests,
    /** The answer to every request from now on. */
    answer(behaviour: Behaviour) {
      usual = behaviour
    },
    /** Answers for the next requests, one each. */
    answerNext(...behaviours: Behaviour[]) {
      queue.push(...behaviours)
    },
    /** Resolves with all requests once there are that many. */
    async received(count: number): Promise<ReceivedRequest[]> {
      const deadline = Date.now() + PATIENCE_MS
      while (requests.length < count) {
        const left = deadline - Date.now()
        if (left <= 0) throw new Error(`${requests.length} of ${count} requests came within ${PATIENCE_MS} ms`)
        await Promise.race([new Promise<void>((wake) => waiting.push(wake)), sleep(left, undefined, { ref: false })])
      }
      return requests
    },
    async close() {
      waiting = []
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver of this test file's own, or of a `describe`. It is there inside tests. */
export function testReceiver(): Receiver {
  const receiver = {} as Receiver
  beforeAll(async () => void Object.assign(receiver, await startReceiver()))
  afterAll(() => receiver.close())
  return receiver
}
