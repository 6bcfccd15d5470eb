import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { type Instant, instantOf, MINUTE } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { publish, seedProviders } from '../../test/support/prices.ts'

const ROWS = 50
const FIXED = '2026-01-03T00:00:00.000Z' as Instant
/** The newest instant that may be read is 15 minutes old, also by a clock that is ten minutes late. */
const RECENT_MS = 30 * MINUTE
/** Down, over a limit, or saying that something is wrong. */
const NO_ANSWER = new Set([429, 503])

type Access = { url: string; key: string }

/** Publishes a price history and makes a key to read it with. */
export async function prepareHistory(sql: Sql, url: string): Promise<Access> {
  await seedProviders(sql, '2026-01-01T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
  const rows = Array.from({ length: ROWS }, (_, n) => ({ provider: 'acme', resource: `model-${n}`, price: '0.000001' }))
  await publish(sql, rows, '2026-01-02T00:00:00.000Z' as Instant)
  const { workspaceId } = await createWorkspace(sql, { name: 'Reader' })
  const { key } = await createApiKey(sql, { workspaceId, name: 'reader' })
  return { url, key }
}

/**
 * Reads a fixed instant again and again, and the newest one there is, while everything breaks. Notes each answer that is
 * wrong.
 */
export function keepReading({ url, key }: Access, over: () => boolean) {
  const found = { answers: 0, differing: [] as string[] }
  let first: string | undefined

  async function read(asOf: Instant, fixed: boolean) {
    const request = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(30_000) }
    const answer = await fetch(`${url}/v1/prices/history?asOf=${asOf}&providers=acme`, request)
      .then(async (response) => ({ status: response.status, body: await response.text() }))
      .catch(() => undefined)
    if (!answer || NO_ANSWER.has(answer.status)) return
    found.answers++
    if (answer.status !== 200) {
      found.differing.push(`a read of ${asOf} was answered ${answer.status}: ${answer.body.slice(0, 200)}`)
      return
    }
    if (!fixed) return
    first ??= answer.body
    if (answer.body !== first) found.differing.push('a read of the same instant gave other bytes')
  }
  async function readAll() {
    while (!over()) {
      await sleep(1_000)
      await read(FIXED, true)
      await read(instantOf(Date.now() - RECENT_MS), false)
    }
  }
  return { found, done: readAll() }
}
