import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { type Instant, instantOf } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { addDeliveries, addWebhook } from '../../test/support/webhooks/deliveries.ts'

const WEBHOOKS = 10
const ANSWER_MS = 150
const READ_EVERY_MS = 250
const READERS = 4
const FIXED = '2026-01-03T00:00:00.000Z'

/** A receiver that keeps every POST: which event, when, and what it answered. */
export async function startReceiver() {
  const posts: { id: string; at: number; status: number }[] = []
  const seen = new Set<string>()
  const state = { refusesFirst: false }
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      const id = String(request.headers['webhook-id'])
      const status = state.refusesFirst && !seen.has(id) ? 500 : 200
      seen.add(id)
      posts.push({ id, at: Date.now(), status })
      await sleep(ANSWER_MS)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { posts, state, url, close: () => server.close() }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Adds due deliveries to ten webhooks of ten workspaces. */
export async function createDeliveries(sql: Sql, url: string) {
  const now = () => instantOf(Date.now()) as Instant
  const hooks = await Promise.all(Array.from({ length: WEBHOOKS }, () => addWebhook(sql, { url, at: now() })))
  return async (count: number): Promise<void> => {
    for (const hook of hooks) await addDeliveries(sql, hook, { count: count / WEBHOOKS, at: now() })
  }
}

/** Keys of workspaces of their own: one key may read twice a second. */
export async function readerKeys(sql: Sql): Promise<string[]> {
  const made = Array.from({ length: READERS }, async () => {
    const { workspaceId } = await createWorkspace(sql, { name: 'Reader' })
    return (await createApiKey(sql, { workspaceId, name: 'reader' })).key
  })
  return Promise.all(made)
}

/** Reads the history through the load balancer four times a second, and notes each read that fails. */
export function keepReading(url: string, keys: string[]) {
  const reads = { good: [] as number[], failed: [] as string[] }
  let over = false
  let body: string | undefined
  async function read(key: string) {
    const request = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(30_000) }
    try {
      const answer = await fetch(`${url}/v1/prices/history?asOf=${FIXED}&providers=acme`, request)
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 120)}`)
      body ??= text
      if (text !== body) throw new Error('other bytes than before')
      reads.good.push(Date.now())
    } catch (error) {
      reads.failed.push(`${new Date().toISOString()} ${(error as Error).message}`)
    }
  }
  const done = (async () => {
    for (let n = 0; !over; n++) {
      void read(keys[n % keys.length]!)
      await sleep(READ_EVERY_MS)
    }
  })()
  return {
    reads,
    stop: () => {
      over = true
      return done
    },
  }
}
export type Reading = ReturnType<typeof keepReading>

/** Returns the longest time between two of these moments, from the first bound to the last, in seconds. */
export function longestGap(moments: number[], from: number, to: number): number {
  const within = [from, ...moments.filter((at) => at > from && at < to), to].sort((a, b) => a - b)
  const gaps = within.slice(1).map((at, index) => at - within[index]!)
  return Math.round(Math.max(...gaps) / 100) / 10
}
