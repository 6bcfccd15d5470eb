import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeKeyNetworks } from '../../src/accounts/keys/change-key-networks.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { listApiKeys } from '../../src/accounts/keys/list-api-keys.ts'
import { isWithin, MAX_NETWORKS, parsedNetworks, readNetworks } from '../../src/accounts/keys/network-rules.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Api } from '../../src/api/route.ts'
import { keepBucketsFull, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

describe('networks', () => {
  it('are stored as their first address and length, each once', () => {
    expect(
      readNetworks([
        ' 203.0.113.0/24',
        '203.0.113.7',
        '203.0.113.7/32',
        '0.0.0.0/0',
        '2001:DB8:0::/32',
        '::1',
        '::ffff:192.0.2.0/120',
      ]),
    ).toEqual(['203.0.113.0/24', '203.0.113.7/32', '0.0.0.0/0', '2001:db8::/32', '::1/128', '192.0.2.0/24'])
    expect(readNetworks([])).toEqual([])
  })

  it('are refused with what to write instead', () => {
    for (const [text, problem] of [
      ['203.0.113.7/24', 'write 203.0.113.0/24'],
      ['2001:db8::1/32', 'write 2001:db8::/32'],
      ['203.0.113.0/33', 'its length is 0 to 32'],
      ['2001:db8::/129', 'its length is 0 to 128'],
      ['203.0.113.0/', 'its length is'],
      ['203.0.113.0/-1', 'its length is'],
      ['203.0.113.0/24/1', 'is not a network'],
      ['example.com', 'is not a network'],
      ['3405803776', 'is not a network'],
      ['0x7f.1', 'is not a network'],
      ['10.1', 'is not a network'],
      ['fe80::1%eth0', 'is not a network'],
      ['', 'is not a network'],
    ] as const)
      expect(() => readNetworks([text])).toThrow(problem)
    const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`)
    expect(MAX_NETWORKS).toBe(50)
    expect(readNetworks(many(50))).toHaveLength(50)
    expect(() => readNetworks(many(51))).toThrow('must be at most 50 networks')
  })

  it('hold the addresses of their family, also written as IPv6 or with a port, and no client without an address', () => {
    const within = (network: string, ip: string) => isWithin(parsedNetworks([network]), ip)
    expect(within('203.0.113.0/24', '203.0.113.255')).toBe(true)
    expect(within('203.0.113.0/24', '203.0.114.0')).toBe(false)
    expect(within('203.0.113.0/24', '::ffff:203.0.113.9')).toBe(true)
    expect(within('203.0.113.0/24', '203.0.113.9:4711')).toBe(true)
    expect(within('2001:db8::/32', '[2001:db8::9]:443')).toBe(true)
    expect(within('2001:db8::/32', '2001:db9::9')).toBe(false)
    expect(within('0.0.0.0/0', '2001:db8::9')).toBe(false)
    expect(within('::/0', '203.0.113.9')).toBe(false)
    expect(within('0.0.0.0/0', 'unknown')).toBe(false)
    expect(isWithin([], '203.0.113.9')).toBe(false)
  })
})

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
    const other = (await createWorkspace(db.sql, { name: 'Other' })).workspaceId
    for (const wrong of [
      { workspaceId: other, keyId },
      { workspaceId, keyId: 'x' },
    ])
      await expect(changeKeyNetworks(db.sql, wrong, [])).rejects.toMatchObject({ code: 'not_found' })
    expect(await changeKeyNetworks(db.sql, { workspaceId, keyId }, [])).toEqual([])
  })
})
