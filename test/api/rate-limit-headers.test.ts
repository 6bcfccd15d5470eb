import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Api } from '../../src/api/route.ts'
import { ask, newKey, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

describe('RateLimit headers', () => {
  const db = testDatabase()
  let server: Api
  beforeAll(async () => {
    server = await testServer(db.sql, { PRICETAPE_TRUSTED_PROXIES: '127.0.0.1' })
  })
  afterAll(() => server.close())
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  it('name every bucket of a request, its size, and what is left of it', async () => {
    const { headers } = await ask(server, '/v1/prices/history?limit=1', bearer(await newKey(db.sql)))
    expect(headers['ratelimit-policy']).toBe('"key";q=20;w=4, "history";q=5;w=3, "workspace";q=40;w=4')
    expect(headers.ratelimit).toBe('"key";r=19;t=1, "history";r=4;t=1, "workspace";r=39;t=1')
  })

  it('name only the buckets that apply', async () => {
    const { headers } = await ask(server, '/v1/providers', bearer(await newKey(db.sql)))
    expect(headers['ratelimit-policy']).toBe('"key";q=20;w=4, "workspace";q=40;w=4')
    expect(headers.ratelimit).toBe('"key";r=19;t=1, "workspace";r=39;t=1')
  })

  it('count down what is left, also with another key of the workspace and with a refused request', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'w' })
    const [one, other] = await Promise.all([1, 2].map(() => createApiKey(db.sql, { workspaceId, name: 'k' })))
    await ask(server, '/v1/providers', bearer(one!.key))
    const { headers } = await ask(server, '/v1/catalog?provider=nobody', bearer(other!.key))
    expect(headers.ratelimit).toMatch(/^"key";r=19;t=1, "workspace";r=3[89];t=1$/)
  })

  it('say that a bucket is empty when a request is refused', async () => {
    const key = await newKey(db.sql)
    const answers = []
    for (let n = 0; n < 9; n++) answers.push(await ask(server, '/v1/prices/history?limit=1', bearer(key)))
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers.ratelimit).toMatch(/"history";r=0;t=3/)
    expect(refused.headers['retry-after']).toBe('1')
  })

  it('tell of failed requests how many more may fail from their address', async () => {
    const from = { 'x-forwarded-for': '192.0.2.77' }
    for (const headers of [from, { ...from, ...bearer('wrong') }]) {
      const answer = await ask(server, '/v1/providers', headers)
      expect(answer.status).toBe(401)
      expect(answer.headers['ratelimit-policy']).toBe('"failures";q=20;w=4')
      expect(answer.headers.ratelimit).toMatch(/^"failures";r=1[89];t=1$/)
    }
    const flood = await Promise.all(Array.from({ length: 60 }, () => ask(server, '/v1/providers', from)))
    const refused = flood.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.at(-1)!.headers.ratelimit).toBe('"failures";r=0;t=4')
  })
})
