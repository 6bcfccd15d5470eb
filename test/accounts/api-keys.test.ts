import { describe, expect, it } from 'vitest'
import { bearerToken, MAX_API_KEYS } from '../../src/accounts/api-key-rules.ts'
import { useApiKey } from '../../src/accounts/api-key-store.ts'
import { createApiKey } from '../../src/accounts/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/create-workspace.ts'
import { deleteApiKey } from '../../src/accounts/delete-api-key.ts'
import { listApiKeys } from '../../src/accounts/list-api-keys.ts'
import { testDatabase } from '../support/database.ts'

describe('API keys', () => {
  const db = testDatabase()
  const workspace = async () => (await createWorkspace(db.sql, { name: 'Acme' })).workspaceId
  const use = (key: string) => useApiKey(db.sql, { key, address: '192.0.2.1', history: false })

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
    })
    const stored = await db.sql`select * from api_key where workspace_id = ${workspaceId}`
    expect(JSON.stringify(stored)).not.toContain(made.key.slice(4, 40))
  })

  it('a workspace holds at most 20 keys, however many are created at once', async () => {
    const workspaceId = await workspace()
    const made = await Promise.allSettled(
      Array.from({ length: MAX_API_KEYS + 8 }, (_, n) => createApiKey(db.sql, { workspaceId, name: `key ${n}` })),
    )
    const refused = made.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(8)
    expect(refused.every((outcome) => outcome.reason.code === 'api_key_limit')).toBe(true)
    expect(await listApiKeys(db.sql, workspaceId)).toHaveLength(20)
  })

  it('a name has 1 to 80 characters, counted as people count them', async () => {
    const workspaceId = await workspace()
    const named = (name: string) => createApiKey(db.sql, { workspaceId, name })
    await expect(named('é'.repeat(80))).resolves.toBeDefined()
    await expect(named('🪙'.repeat(80))).resolves.toBeDefined()
    for (const name of ['', '   ', 'x'.repeat(81), 'a\u0000b', '\ud800']) {
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

  it('is carried as a Bearer token and as nothing else', () => {
    expect(bearerToken('Bearer ptk_x')).toBe('ptk_x')
    expect(bearerToken('bearer   ptk_x ')).toBe('ptk_x')
    expect(bearerToken(undefined)).toBeUndefined()
    expect(bearerToken('')).toBeUndefined()
    for (const wrong of ['Basic ptk_x', 'ptk_x', 'Bearer', 'Bearer a b']) expect(bearerToken(wrong)).toBe('')
  })
})
