import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { publish, seedProviders } from '../../test/support/prices.ts'
import type { Keys } from './measure.ts'

const READERS = 8
const ROWS = 500

/** Prices to read with their log, and keys for normal and hostile clients, each in a workspace of its own. */
export async function prepare(sql: Sql): Promise<Keys> {
  await seedProviders(sql, '2026-01-01T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
  const rows = Array.from({ length: ROWS }, (_, n) => ({ provider: 'acme', resource: `model-${n}`, price: '0.000001' }))
  await publish(sql, rows, '2026-01-02T00:00:00.000Z' as Instant)
  // Until it is signed, the log answers 503.
  await keepLog({ sql, names: { logOrigin: 'log.test' }, secretKey: Buffer.alloc(32, 1) })
  const keys = await Promise.all(
    Array.from({ length: READERS * 2 }, async () => {
      const { workspaceId } = await createWorkspace(sql, { name: 'Reader' })
      return (await createApiKey(sql, { workspaceId, name: 'reader' })).key
    }),
  )
  return { normal: keys.slice(0, READERS), hostile: keys.slice(READERS) }
}
