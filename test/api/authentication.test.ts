import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Api } from '../../src/api/route.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { addAccount } from '../support/accounts.ts'
import { ask, newKey, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const ENDPOINTS = ['/v1/prices/history', '/v1/providers', '/v1/comparison/aliases', '/v1/catalog?provider=x']
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe('authentication and limits of the read API', () => {
  const db = testDatabase()
  let server: Api
  let other: Api
  let otherSql: Sql
  let statements = 0
  beforeAll(async () => {
    const counted = new Proxy(db.sql, {
      apply: (sql, self, args: Parameters<Sql>) => {
        statements += 1
        return Reflect.apply(sql, self, args)
      },
    })
    server = await testServer(counted, { PRICETAPE_TRUSTED_PROXIES: '127.0.0.1' })
    otherSql = connect(db.url)
    other = await testServer(otherSql, { PRICETAPE_TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterAll(async () => {
    await server.close()
    await other.close()
    await otherSql.end()
  })
  let client = 0
  /** A client address that no test used before: every test has its own address bucket. */
  const address = () => ({ 'x-forwarded-for': `192.0.2.${++client}` })
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const codeOf = (answer: { json: unknown }) => (answer.json as { error?: { code: string } }).error?.code
  const allowed = (status: number) => status !== 429
  /** Returns how many tokens may have come back since now, however slow the machine is. */
  const refills = (perSecond: number) => {
    const started = performance.now()
    return () => Math.ceil(((performance.now() - started) / 1_000) * perSecond)
  }

  it('no key is 401 unauthorized, on each of the four endpoints', async () => {
    for (const path of ENDPOINTS) {
      const answer = await ask(server, path, address())
      expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized'])
    }
  })

  it('a wrong, deleted or malformed key is 401 invalid_api_key, and the answers are the same', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const deleted = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const path = '/v1/providers'
    expect((await ask(server, path, bearer(deleted.key))).status).toBe(200)
    await deleteApiKey(db.sql, { workspaceId, keyId: deleted.keyId })
    const wrong = [deleted.key, `ptk_${'A'.repeat(43)}`, 'nonsense', 'ptk_', 'é', `ptk_${'x'.repeat(2_000)}`]
    const answers = []
    for (const key of wrong) answers.push(await ask(server, path, { ...bearer(key), ...address() }))
    answers.push(await ask(server, path, { authorization: `Basic ${deleted.key}`, ...address() }))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect([answers[0]!.status, codeOf(answers[0]!)]).toEqual([401, 'invalid_api_key'])
    expect(answers[0]!.headers['www-authenticate']).toBe('Bearer')
    // Who reads it learns how a key is made.
    expect(answers[0]!.text).toContain('npx pricetape key create --name NAME')
  })

  it('a deleted key stops working on every node at once', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const key = await createApiKey(db.sql, { workspaceId, name: 'k' })
    for (const node of [server, other]) expect((await ask(node, '/v1/providers', bearer(key.key))).status).toBe(200)
    await deleteApiKey(db.sql, { workspaceId, keyId: key.keyId })
    for (const node of [server, other])
      expect((await ask(node, '/v1/providers', { ...bearer(key.key), ...address() })).status).toBe(401)
  })

  it('an expired key is refused on every node like a deleted one', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const deleted = await createApiKey(db.sql, { workspaceId, name: 'k' })
    await deleteApiKey(db.sql, { workspaceId, keyId: deleted.keyId })
    const expiresAt = instantOf(Date.now() + 3_600_000)
    const { key, keyId } = await createApiKey(db.sql, { workspaceId, name: 'k', expiresAt })
    for (const node of [server, other]) expect((await ask(node, '/v1/providers', bearer(key))).status).toBe(200)
    await db.sql`update api_key set expires_at = clock_timestamp() - interval '1 s' where key_id = ${keyId}`
    for (const node of [server, other]) {
      const answer = await ask(node, '/v1/providers', { ...bearer(key), ...address() })
      expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_api_key'])
      const other = await ask(node, '/v1/providers', { ...bearer(deleted.key), ...address() })
      expect(answer.text).toBe(other.text)
    }
  })

  it('refuses browsers on other origins and sends no CORS headers', async () => {
    const key = await newKey(db.sql)
    const from = (headers: Record<string, string>) =>
      ask(server, '/v1/providers', { ...bearer(key), host: 'api.example', ...headers })
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await from(foreign as unknown as Record<string, string>)
      expect([answer.status, codeOf(answer)]).toEqual([403, 'origin_not_allowed'])
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    for (const own of [
      { origin: 'https://api.example' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]) {
      expect((await from(own as unknown as Record<string, string>)).status).toBe(200)
    }
  })

  it('per API key: a burst of 20, then 429 rate_limited with retry-after; waiting it is served', async () => {
    const key = await newKey(db.sql)
    const refilled = refills(5)
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(server, '/v1/providers', bearer(key))))
    const served = answers.filter((answer) => allowed(answer.status)).length
    expect(served).toBeGreaterThanOrEqual(20)
    expect(served).toBeLessThanOrEqual(20 + refilled())
    const refused = answers.find((answer) => answer.status === 429)!
    expect(codeOf(refused)).toBe('rate_limited')
    const wait = Number(refused.headers['retry-after'])
    expect(Number.isInteger(wait) && wait >= 1).toBe(true)
    await sleep(wait * 1_000)
    expect((await ask(server, '/v1/providers', bearer(key))).status).toBe(200)
  })

  it('per session: a burst of 20, then 429 although the wait is shorter than a second', async () => {
    const { sessionToken } = await addAccount(db.sql, 'reader@example.com')
    const refilled = refills(5)
    const asks = Array.from({ length: 60 }, () => ask(server, '/v1/providers', { cookie: `pricetape=${sessionToken}` }))
    const served = (await Promise.all(asks)).filter((answer) => allowed(answer.status)).length
    expect(served).toBeGreaterThanOrEqual(20)
    expect(served).toBeLessThanOrEqual(20 + refilled())
  })

  it('price history has its own bucket of 5 per key, on top of the others, across nodes', async () => {
    const key = await newKey(db.sql)
    const refilled = refills(2)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => ask(n % 2 ? server : other, '/v1/prices/history?limit=1', bearer(key))),
    )
    const served = answers.filter((answer) => allowed(answer.status)).length
    expect(served).toBeGreaterThanOrEqual(5)
    expect(served).toBeLessThanOrEqual(5 + refilled())
    // What the history bucket refused took nothing from the key's: 20 less what was served are left.
    expect((await ask(server, '/v1/providers', bearer(key))).status).toBe(200)
  })

  it('per workspace: all its keys together have a burst of 40', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const keys = await Promise.all([1, 2, 3, 4].map(() => createApiKey(db.sql, { workspaceId, name: 'k' })))
    const refilled = refills(10)
    const asks = keys.flatMap(({ key }) => Array.from({ length: 18 }, () => ask(server, '/v1/providers', bearer(key))))
    const answers = await Promise.all(asks)
    expect(answers.filter((answer) => allowed(answer.status)).length).toBeGreaterThanOrEqual(40)
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(40 + refilled())
  })

  it('per client address: requests failing authentication have a burst of 20, across nodes', async () => {
    const from = address()
    const refilled = refills(5)
    const asks = Array.from({ length: 60 }, (_, n) =>
      ask(n % 2 ? server : other, '/v1/providers', n % 3 ? from : { ...from, ...bearer('wrong') }),
    )
    const answers = await Promise.all(asks)
    const failed = answers.filter((answer) => answer.status === 401).length
    expect(failed).toBeGreaterThanOrEqual(20)
    expect(failed).toBeLessThanOrEqual(20 + refilled())
    const refused = answers.find((answer) => answer.status === 429)!
    expect(codeOf(refused)).toBe('rate_limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect((await ask(server, '/v1/providers', address())).status).toBe(401)
  })

  it('per client address: after 20 failures at once the next is 429 with retry-after 1', async () => {
    for (const credentials of [{}, bearer('wrong')]) {
      const headers = { ...address(), ...credentials }
      const refilled = refills(5)
      const failures = await Promise.all(Array.from({ length: 60 }, () => ask(server, '/v1/providers', headers)))
      const refused = failures.filter(({ status }) => status === 429)
      expect(60 - refused.length).toBeGreaterThanOrEqual(20)
      expect(60 - refused.length).toBeLessThanOrEqual(20 + refilled())
      expect(new Set(refused.map(codeOf))).toEqual(new Set(['rate_limited']))
      expect(new Set(refused.map((answer) => answer.headers['retry-after']))).toEqual(new Set(['1']))
    }
  })

  it('a flood of failing requests costs the database nearly nothing, and a key in use beside it goes on', async () => {
    const from = address()
    const key = await newKey(db.sql)
    expect((await ask(server, '/v1/providers', { ...from, ...bearer(key) })).status).toBe(200)
    for (let n = 0; n < 30; n++) await ask(server, '/v1/providers', { ...from, ...bearer(`wrong-${n}`) })
    statements = 0
    const refilled = refills(5)
    const flood = Array.from({ length: 1_000 }, (_, n) => ask(server, '/v1/providers', { ...from, ...bearer(`w${n}`) }))
    const limited = (await Promise.all(flood)).filter((answer) => answer.status === 429).length
    // What comes back meanwhile is looked up: a few statements each.
    expect(limited).toBeGreaterThan(990 - refilled())
    expect(statements).toBeLessThan(10 + 4 * refilled())
    expect((await ask(server, '/v1/providers', { ...from, ...bearer(key) })).status).toBe(200)
  })

  it('a valid key that this node never saw is served while others on its address fail', async () => {
    const from = address()
    const keys = await Promise.all(Array.from({ length: 20 }, () => newKey(db.sql)))
    const refilled = refills(5)
    let flooding = true
    let [refused, limited] = [0, 0]
    const flood = Array.from({ length: 8 }, async (_, client) => {
      for (let n = 0; flooding; n++) {
        const { status } = await ask(server, '/v1/providers', { ...from, ...bearer(`wrong-${client}-${n}`) })
        expect([401, 429]).toContain(status)
        if (status === 401) refused += 1
        else limited += 1
      }
    })
    while (limited === 0) await sleep(10)
    const statuses = []
    for (const key of keys) statuses.push((await ask(server, '/v1/providers', { ...from, ...bearer(key) })).status)
    flooding = false
    await Promise.all(flood)
    expect(statuses).toEqual(keys.map(() => 200))
    expect(limited).toBeGreaterThan(0)
    expect(refused).toBeLessThanOrEqual(20 + refilled())
  })

  it('a refused key that is sent again and again costs no statement once its address is over the limit', async () => {
    const from = { ...address(), ...bearer('the-same-wrong-key') }
    await Promise.all(Array.from({ length: 25 }, () => ask(server, '/v1/providers', from)))
    statements = 0
    const refilled = refills(5)
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(server, '/v1/providers', from)))
    expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThan(90 - refilled())
    expect(statements).toBeLessThan(10 + 4 * refilled())
  })

  it('believes x-forwarded-for only from trusted proxies', async () => {
    const direct = await testServer(db.sql)
    const bucketsAfter = async (node: Api) => {
      await db.sql`delete from rate_bucket`
      for (const _ of [1, 2]) expect((await ask(node, '/v1/providers', address())).status).toBe(401)
      const rows = await db.sql<{ key: string }[]>`select key from rate_bucket order by key`
      return rows.map(({ key }) => key)
    }
    expect(await bucketsAfter(direct)).toEqual(['address:127.0.0.1'])
    const trusted = await bucketsAfter(server)
    expect(trusted).toEqual([`address:192.0.2.${client - 1}`, `address:192.0.2.${client}`].sort())
    await direct.close()
    await expect(testServer(db.sql, { PRICETAPE_TRUSTED_PROXIES: 'nonsense' })).rejects.toThrow(
      'PRICETAPE_TRUSTED_PROXIES',
    )
  })
})
