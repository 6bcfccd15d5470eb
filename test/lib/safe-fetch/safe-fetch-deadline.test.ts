import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Deadline } from '../../../src/lib/safe-fetch/deadline.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'

/** A server beside this thread, so that it answers while this thread is blocked. */
const SERVER = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    setTimeout(() => response.end('in time'), Number(request.url.slice(1)))
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`
const client = createSafeFetch({ allowPrivate: true })
let worker: Worker
let url = ''
beforeAll(async () => {
  worker = new Worker(SERVER, { eval: true })
  const [port] = await once(worker, 'message')
  url = `http://127.0.0.1:${port}`
  await client.get(`${url}/0`)
})
afterAll(() => Promise.all([worker.terminate(), client.close()]))

const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

describe('lateness of our own process', () => {
  test('an answer that arrived in time is taken, though we were not there to read it', async () => {
    const outcome = client.get(`${url}/500`, { timeoutMs: 1_000 })
    setTimeout(standStill, 300, 2_000)
    expect(await outcome).toMatchObject({ kind: 'answer', status: 200 })
  })

  test('without an answer after we were blocked, the fault is ours', async () => {
    const outcome = client.get(`${url}/20000`, { timeoutMs: 1_000 })
    setTimeout(standStill, 300, 2_000)
    expect(await outcome).toMatchObject({ kind: 'platform', message: expect.stringMatching(/stood still for \d+ ms/) })
  })

  test('without an answer while we got the processor for a moment now and then, the fault is ours', async () => {
    const outcome = client.get(`${url}/20000`, { timeoutMs: 2_000 })
    const starved = setInterval(standStill, 30, 450)
    expect(await outcome).toMatchObject({ kind: 'platform', message: expect.stringMatching(/stood still for \d+ ms/) })
    clearInterval(starved)
  })

  test('a short pause of ours does not excuse an endpoint that does not answer', async () => {
    const outcome = client.get(`${url}/20000`, { timeoutMs: 500 })
    setTimeout(standStill, 200, 700)
    const message = 'no complete answer within 0.5 s: waiting for the response headers'
    expect(await outcome).toMatchObject({ kind: 'failed', reason: 'timeout', message })
  })
})

test('a request that was given up leaves no connection behind', async () => {
  const server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = () => new Promise<number>((count) => server.getConnections((_, number) => count(number)))
  const { port } = server.address() as AddressInfo
  const outcome = client.get(`http://127.0.0.1:${port}/`, { timeoutMs: 500 })
  await expect.poll(open).toBe(1)
  expect(await outcome).toMatchObject({ kind: 'failed', reason: 'timeout' })
  await expect.poll(open, { timeout: 10_000 }).toBe(0)
  server.close()
})

test('a deadline that was cleared never fires, and leaves nothing behind on the signal', async () => {
  const stop = new AbortController()
  const deadline = new Deadline(20, stop.signal)
  deadline.clear()
  stop.abort()
  const late = new Promise((done) => setTimeout(done, 60, 'nothing'))
  expect(await Promise.race([deadline.expired, late])).toBe('nothing')
})
