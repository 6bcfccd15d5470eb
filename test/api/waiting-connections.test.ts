import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { dial, held, rawGet, serveConnections } from '../support/servers/raw-http.ts'

const LARGE = Buffer.alloc(32 * 1024 * 1024, 'large ')
const PATIENT = { headersMs: 60_000, requestMs: 60_000, keepAliveMs: 60_000, stalledMs: 60_000 }

describe('connections that wait', () => {
  const db = testDatabase()

  it('give way in the order of their last requests, not of their beginnings', async () => {
    const { port } = await serveConnections({ ...PATIENT, perAddress: 2 }, (_, response) => void response.end('small'))
    const [busy, idle] = [await dial(port), await dial(port)]
    busy.socket.write(rawGet('/'))
    await expect.poll(() => busy.received()).toContain('small')
    const next = await dial(port, rawGet('/'))
    await idle.closed
    await expect.poll(() => next.received()).toContain('small')
    expect(busy.socket.destroyed).toBe(false)
  })

  it('give way while their clients do not take an answer, and not while one is made for them', async () => {
    const asked: (string | undefined)[] = []
    const { port } = await serveConnections({ ...PATIENT, perAddress: 2 }, ({ url }, response) => {
      asked.push(url)
      if (url === '/large') response.end(LARGE)
      if (url === '/small') response.end('small')
    })
    const working = await dial(port, rawGet('/never'))
    const unread = await dial(port, rawGet('/large'), { paused: true })
    await expect.poll(() => asked.toSorted()).toEqual(['/large', '/never'])
    await sleep(200)
    const next = await dial(port, rawGet('/small'))
    await expect.poll(() => next.received()).toContain('small')
    unread.socket.resume()
    await unread.closed
    expect(unread.received().length).toBeLessThan(LARGE.length)
    expect(working.socket.destroyed).toBe(false)
  })

  it('are never more than their limit, however many begin at once', async () => {
    const { server, port } = await serveConnections({ ...PATIENT, perAddress: 3 }, (_, response) => void response.end())
    const clients = await Promise.all(Array.from({ length: 20 }, () => dial(port)))
    await vi.waitFor(async () => expect(await held(server)).toBe(3), { timeout: 10_000 })
    for (const { socket } of clients) socket.destroy()
  })

  it('are closed by what cannot be read, with no answer in the middle of another', async () => {
    const { port } = await serveConnections(PATIENT, (_, response) => void response.write('the beginning'))
    const client = await dial(port, rawGet('/'))
    await expect.poll(() => client.received()).toContain('the beginning')
    client.socket.write('NONSENSE\r\n\r\n')
    await client.closed
    expect(client.received().match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('go on after a large answer that was sent for a key', async () => {
    const { port } = await serveConnections(
      { keepAliveMs: 500 },
      (_, response) => void response.end(LARGE.subarray(0, 1_000_000)),
    )
    const client = await dial(port, rawGet('/v1/prices/history').repeat(3))
    await client.closed
    expect(client.received().match(/HTTP\/1\.1 200/g)).toHaveLength(3)
  })

  it('are kept open for 15 seconds, and for 75 behind proxies, which keep theirs for a minute', async () => {
    for (const [env, ms] of [
      [{}, 15_000],
      [{ PRICETAPE_TRUSTED_PROXIES: '127.0.0.1' }, 75_000],
    ] as const) {
      const { server, close } = await testServer(db.sql, env)
      expect(server.keepAliveTimeout).toBe(ms)
      await close()
    }
  })
})
