import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { changeKeyNetworks } from '../../../src/accounts/keys/change-key-networks.ts'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { listApiKeys } from '../../../src/accounts/keys/list-api-keys.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import type { Api } from '../../../src/api/route.ts'
import { keepBucketsFull, testServer } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { steppedClock } from '../../support/stepped-clock.ts'

describe('an API key with networks', () => {
  const db = testDatabase()
  let server: Api
  let workspaceId: string
  beforeAll(async () => {
    server = await testServer(db.sql, { PRICETAPE_TRUSTED_PROXIES: '192.0.2.1' })
    keepBucketsFull(server, db.sql)
    workspaceId = (await createWorkspace(db.sql, { name: 'Acme' })).workspaceId
  })
  afterAll(() => server.close())
  const read = (key: string, remoteAddress: string, forwarded?: string, node = server) =>
    node.inject({
      url: '/v1/providers',
      remoteAddress,
      headers: { authorization: `Bearer ${key}`, ...(forwarded && { 'x-forwarded-for': forwarded }) },
    })

  it('reads from there alone: by the address that limits count, and costs the workspace nothing from elsewhere', async () => {
    const { key, keyId } = await createApiKey(db.sql, {
      workspaceId,
      name: 'k',
      networks: ['203.0.113.0/24', '2001:db8::/64'],
    })
    expect((await read(key, '203.0.113.5')).statusCode).toBe(200)
    expect((await read(key, '2001:db8::7')).statusCode).toBe(200)
    const refused = await read(key, '198.51.100.1')
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'address_not_allowed'])
    expect(refused.json().error.message).toContain('198.51.100.1')
    expect(refused.headers.ratelimit).toContain('"failures"')
    const buckets = await db.sql<{ key: string }[]>`select key from rate_bucket`
    expect(buckets.map((bucket) => bucket.key)).toEqual(['address:198.51.100.1'])
    // Only a trusted proxy says where a request comes from.
    expect((await read(key, '198.51.100.1', '203.0.113.5')).statusCode).toBe(403)
    expect((await read(key, '192.0.2.1', '203.0.113.5')).statusCode).toBe(200)
    expect((await read(key, '192.0.2.1', '198.51.100.1')).statusCode).toBe(403)
    const [listed] = (await listApiKeys(db.sql, workspaceId)).filter((one) => one.keyId === keyId)
    expect(listed?.networks).toEqual(['203.0.113.0/24', '2001:db8::/64'])
  })

  it('is changed for processes that have not read it yet at once, and its change is in the audit log', async () => {
    const { key, keyId } = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const fresh = await testServer(db.sql)
    await changeKeyNetworks(db.sql, { workspaceId, keyId }, ['203.0.113.0/24'])
    expect((await read(key, '198.51.100.1', undefined, fresh)).statusCode).toBe(403)
    await fresh.close()
    const entries = await db.sql`select action, detail from audit_entry where subject = ${keyId} order by entry_id`
    expect(entries).toEqual([
      { action: 'key_created', detail: { name: 'k' } },
      { action: 'key_changed', detail: { networks: ['203.0.113.0/24'] } },
    ])
    const near = await createApiKey(db.sql, { workspaceId, name: 'near', networks: ['203.0.113.0/24'] })
    expect(await db.sql`select detail from audit_entry where subject = ${near.keyId}`).toEqual([
      { detail: { name: 'near', networks: ['203.0.113.0/24'] } },
    ])
    const other = (await createWorkspace(db.sql, { name: 'Other' })).workspaceId
    for (const wrong of [
      { workspaceId: other, keyId },
      { workspaceId, keyId: 'x' },
    ])
      await expect(changeKeyNetworks(db.sql, wrong, [])).rejects.toMatchObject({ code: 'not_found' })
    expect(await changeKeyNetworks(db.sql, { workspaceId, keyId }, [])).toEqual([])
  })

  it('is changed within ten seconds for a process that uses it all the time', async () => {
    const { key, keyId } = await createApiKey(db.sql, { workspaceId, name: 'k' })
    // A process of its own: what it remembers is of another time than ours.
    const node = await testServer(db.sql)
    keepBucketsFull(node, db.sql)
    onTestFinished(() => node.close())
    const goOn = steppedClock()
    const statusIn = async (seconds: number) => {
      await goOn(seconds)
      return (await read(key, '198.51.100.77', undefined, node)).statusCode
    }
    expect(await statusIn(0)).toBe(200)
    await changeKeyNetworks(db.sql, { workspaceId, keyId }, ['203.0.113.0/24'])
    expect([await statusIn(4), await statusIn(4), await statusIn(3)]).toEqual([200, 200, 403])
    await changeKeyNetworks(db.sql, { workspaceId, keyId }, [])
    expect([await statusIn(4), await statusIn(7)]).toEqual([403, 200])
  })
})
