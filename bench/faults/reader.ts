import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '../../src/accounts/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/create-workspace.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { publish, seedProviders } from '../../test/support/prices.ts'

type Read = { url: string; key: string }

/** A price history and a request for it at a closed instant. */
export async function historyAt(sql: Sql, apiUrl: string): Promise<Read> {
  await seedProviders(sql, '2026-01-01T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
  const rows = Array.from({ length: 50 }, (_, n) => ({ provider: 'acme', resource: `model-${n}`, price: '0.000001' }))
  await publish(sql, rows, '2026-01-02T00:00:00.000Z' as Instant)
  const { workspaceId } = await createWorkspace(sql, { name: 'Reader' })
  const { key } = await createApiKey(sql, { workspaceId, name: 'reader' })
  return { url: `${apiUrl}/v1/prices/history?asOf=2026-01-03T00:00:00Z`, key }
}

/** Reads one closed instant again and again while everything is killed, and notes each answer that is wrong. */
export function keepReading({ url, key }: Read, over: () => boolean) {
  const found = { answers: 0, differing: [] as string[] }
  async function read() {
    let first: string | undefined
    while (!over()) {
      await sleep(1_000)
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
        .then(async (response) => ({ status: response.status, body: await response.text() }))
        .catch(() => undefined)
      if (!answer || answer.status === 503) continue // down, or saying that something is
      found.answers++
      first ??= answer.body
      if (answer.status !== 200)
        found.differing.push(`a read was answered ${answer.status}: ${answer.body.slice(0, 200)}`)
      else if (answer.body !== first) found.differing.push('a read of the same instant gave other rows')
    }
  }
  return { found, done: read() }
}
