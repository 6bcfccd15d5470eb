import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../../src/accounts/keys/delete-api-key.ts'
import { createKeyUses } from '../../../src/accounts/keys/key-uses.ts'
import { newApiKey } from '../../../src/accounts/keys/new-api-key.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const ROUNDS = 150

describe('what a refused key tells by its time', () => {
  const db = testDatabase()
  let sql: Sql
  beforeAll(() => {
    sql = connect(db.url, { max: 1 })
  })
  afterAll(() => sql.end())

  it('nothing: wrong, deleted and malformed keys take turns, and none is the slowest more often than chance', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const deleted = await createApiKey(db.sql, { workspaceId, name: 'gone' })
    const living = await createApiKey(db.sql, { workspaceId, name: 'here' })
    await deleteApiKey(db.sql, { workspaceId, keyId: deleted.keyId })
    const near = `${living.key.slice(0, -1)}${living.key.endsWith('A') ? 'B' : 'A'}`
    const keys = { wrong: newApiKey(), near, deleted: deleted.key, malformed: 'no key at all' }
    const kinds = Object.keys(keys) as (keyof typeof keys)[]
    const uses = createKeyUses(sql)
    const times = async (n: number) => {
      const taken: [string, number][] = []
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = kinds[(turn + n) % kinds.length]!
        const started = performance.now()
        await uses.use({ hash: sha256(keys[kind]), address: `10.0.${n}.${turn}`, limit: 'usual' })
        taken.push([kind, performance.now() - started])
      }
      return taken.sort((a, b) => b[1] - a[1])[0]![0]
    }
    for (let n = 0; n < 20; n++) await times(250)
    const slowest = Object.fromEntries(kinds.map((kind) => [kind, 0]))
    for (let n = 0; n < ROUNDS; n++) slowest[await times(n)]! += 1
    // A fair share is a quarter; five standard deviations of it are 27 of 150 rounds.
    const share = ROUNDS / kinds.length
    const bound = 5 * Math.sqrt(share * (1 - 1 / kinds.length))
    for (const kind of kinds) expect(Math.abs(slowest[kind]! - share), JSON.stringify(slowest)).toBeLessThan(bound)
  })
})
