import { describe, expect, it } from 'vitest'
import { existingKeys } from '../../src/accounts/keys/api-key-store.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { createKeyUses } from '../../src/accounts/keys/key-uses.ts'
import { listApiKeys } from '../../src/accounts/keys/list-api-keys.ts'
import { newApiKey } from '../../src/accounts/keys/new-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { sha256 } from '../../src/lib/hash.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { connect } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

describe('API keys', () => {
  const db = testDatabase()
  const workspace = async () => (await createWorkspace(db.sql, { name: 'Acme' })).workspaceId
  const use = (key: string) => createKeyUses(db.sql).use({ hash: sha256(key), address: '192.0.2.1', limit: 'usual' })

  it('ends in characters that no command takes for an option', () => {
    const ends = Array.from({ length: 2_000 }, () => newApiKey().slice(-4))
    expect(ends.filter((end) => end.startsWith('-'))).toEqual([])
  })

  it('shows the full value once, at creation; the list shows only the last characters, creation and last use', async () => {
    const workspaceId = await workspace()
    const made = await createApiKey(db.sql, { workspaceId, name: 'billing' })
    expect(made.key).toMatch(/^ptk_[A-Za-z0-9_-]{43}$/)
    const [listed] = await listApiKeys(db.sql, workspaceId)
    expect(listed).toEqual({
      keyId: made.keyId,
      name: 'billing',
      lastCharacters: made.key.slice(-4),
      createdAt: made.createdAt,
      lastUsedAt: null,
      expiresAt: null,
      networks: [],
    })
    const stored = await db.sql`select * from api_key where workspace_id = ${workspaceId}`
    expect(JSON.stringify(stored)).not.toContain(made.key.slice(4, 40))
  })

  it('is refused with the error where the database does not answer', async () => {
    const sql = connect(db.url)
    await sql.end()
    const uses = createKeyUses(sql)
    const request = { hash: sha256('any'), address: '192.0.2.1', limit: 'usual' } as const
    await expect(uses.use(request)).rejects.toThrow()
    // Nothing was leased, so the end asks nothing.
    await uses.end()
  })

  it('a workspace holds at most 20 keys, however many are created at once', async () => {
    const workspaceId = await workspace()
    const made = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => createApiKey(db.sql, { workspaceId, name: `key ${n}` })),
    )
    const refused = made.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(30)
    expect(refused.every((outcome) => outcome.reason.code === 'api_key_limit')).toBe(true)
    expect(await listApiKeys(db.sql, workspaceId)).toHaveLength(20)
  })

  it('a name has 1 to 80 characters, counted as code points, and one at least can be seen', async () => {
    const workspaceId = await workspace()
    const named = (name: string) => createApiKey(db.sql, { workspaceId, name })
    await expect(named('é'.repeat(80))).resolves.toBeDefined()
    await expect(named('🪙'.repeat(80))).resolves.toBeDefined()
    const composed = await named('cafe\u0301\u00a0 one')
    expect(composed.name).toBe('café one')
    for (const name of ['', '   ', 'x'.repeat(81), 'a\u0000b', '\ud800', '\u200b', '\u3164\u2060', '\u2800']) {
      await expect(named(name)).rejects.toMatchObject({ code: 'invalid_body', field: 'name', status: 400 })
    }
  })

  it('authenticates a key as its workspace, and no longer once it is deleted', async () => {
    const workspaceId = await workspace()
    const made = await createApiKey(db.sql, { workspaceId, name: 'k' })
    expect(await use(made.key)).toMatchObject({ keyId: made.keyId, workspaceId, waitSeconds: 0 })
    await deleteApiKey(db.sql, { workspaceId, keyId: made.keyId })
    expect((await use(made.key)).keyId).toBeUndefined()
  })

  it('a key with an expiry is as good as deleted from that instant on, and stays in the list', async () => {
    const workspaceId = await workspace()
    const expiresAt = instantOf(Date.now() + 60_000)
    const made = await createApiKey(db.sql, { workspaceId, name: 'k', expiresAt })
    expect(made.expiresAt).toBe(expiresAt)
    expect((await use(made.key)).keyId).toBe(made.keyId)
    await db.sql`update api_key set expires_at = date_trunc('milliseconds', clock_timestamp()) where key_id = ${made.keyId}`
    expect((await use(made.key)).keyId).toBeUndefined()
    expect(await existingKeys(db.sql, [sha256(made.key)])).toEqual(new Set())
    expect(await listApiKeys(db.sql, workspaceId)).toHaveLength(1)
  })

  it('refuses an expiry that has passed, and creates nothing', async () => {
    const workspaceId = await workspace()
    const expiresAt = instantOf(Date.now() - 1_000)
    const made = createApiKey(db.sql, { workspaceId, name: 'k', expiresAt })
    await expect(made).rejects.toMatchObject({ code: 'invalid_body', field: 'expiresAt', status: 400 })
    expect(await listApiKeys(db.sql, workspaceId)).toEqual([])
  })

  it('deletes only keys of its own workspace', async () => {
    const workspaceId = await workspace()
    const made = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const other = { workspaceId: await workspace(), keyId: made.keyId }
    await expect(deleteApiKey(db.sql, other)).rejects.toMatchObject({ code: 'not_found' })
    await expect(deleteApiKey(db.sql, { workspaceId, keyId: 'nonsense' })).rejects.toMatchObject({ code: 'not_found' })
    expect((await use(made.key)).keyId).toBe(made.keyId)
  })

  it('writes the last use at most once a minute', async () => {
    const workspaceId = await workspace()
    const made = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const lastUse = async () => (await listApiKeys(db.sql, workspaceId))[0]?.lastUsedAt
    await use(made.key)
    const first = await lastUse()
    expect(first).not.toBeNull()
    await use(made.key)
    expect(await lastUse()).toBe(first)
    await db.sql`update api_key set last_used_at = last_used_at - interval '60 s' where key_id = ${made.keyId}`
    await use(made.key)
    expect((await lastUse())! >= first!).toBe(true)
  })
})
