import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFeedAddress } from '../../src/accounts/feeds/feed-address.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { addAccount, addMember, addOperator, PASSWORD } from '../support/accounts.ts'
import { testServer } from '../support/api.ts'
import { send, testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'

describe('a request of the app', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db, { PRICETAPE_PUBLIC_URL: 'http://prices.example.com' })

  it('is refused from a page of another origin, and passes from ours and from programs', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const rename = (headers: Record<string, string>) =>
      app.send('PATCH /v1/account', { session, body: { name: 'N' }, headers })
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:81' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
    ]
    for (const headers of foreign)
      expect(await rename(headers as never)).toMatchObject({ status: 403, code: 'origin_not_allowed' })
    const own = [
      {},
      { origin: 'http://prices.example.com' },
      { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' },
    ]
    for (const headers of own) expect((await rename({ host: 'localhost', ...headers } as never)).status).toBe(200)
    const signIn = {
      body: { email: 'olga@example.com', password: PASSWORD },
      headers: { origin: 'https://evil.example' },
    }
    expect(await app.send('POST /v1/sessions', signIn)).toMatchObject({ status: 403, code: 'origin_not_allowed' })
  })

  it('has a JSON object as its body, of a size and depth that ours have', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const post = async (payload: string, type = 'application/json') =>
      app.send('PATCH /v1/account', { session, body: payload, headers: { 'content-type': type } })
    const wrong = ['{"name":', '[]', 'null', '"x"', '', '{"__proto__":{"name":"x"},"name":"y"}']
    wrong.push(`{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, JSON.stringify({ name: 'x'.repeat(20_000) }))
    for (const payload of wrong)
      expect(await post(payload), payload.slice(0, 40)).toMatchObject({ status: 400, code: 'invalid_body' })
    for (const payload of ['{"name":"a\\u0000"}', '{"name":"\\ud800"}'])
      expect(await post(payload), payload).toMatchObject({ status: 400, code: 'invalid_body', field: 'name' })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await post('{"name":"x"}', type), type).toMatchObject({ status: 400, code: 'invalid_body' })
    expect((await post('{"name":"x"}', 'application/json; charset=utf-8')).status).toBe(200)
  })

  it('names a parameter that is unknown or missing, and the methods of a path', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const get = (path: string) => app.send(`GET ${path}`, { session })
    expect(await get('/v1/keys')).toMatchObject({ status: 400, code: 'invalid_query', field: 'workspace' })
    expect(await get(`/v1/keys?workspace=${workspaceId}&x=1`)).toMatchObject({ code: 'invalid_query', field: 'x' })
    expect(await get(`/v1/keys?workspace=x&workspace=y`)).toMatchObject({ code: 'invalid_query', field: 'workspace' })
    expect(await get(`/v1/keys?workspace=x`)).toMatchObject({ status: 404, code: 'not_found' })
    const put = await app.send('PUT /v1/keys/x', { session })
    expect([put.status, put.headers.allow]).toEqual([405, 'DELETE, PATCH'])
    expect(await app.send('DELETE /v1/keys/%00?workspace=x', { session })).toMatchObject({ status: 404 })
  })

  it('is answered for its sender alone: nothing between keeps the answer', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const answers = [
      await app.send('GET /v1/account', { session }),
      await app.send('PATCH /v1/account', { session, body: { name: 'N' } }),
      await app.send('GET /v1/account'),
      await app.send('GET /v1/operator/review/x', { session }),
    ]
    expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
      [200, 'no-store'],
      [200, 'no-store'],
      [401, 'no-store'],
      [404, 'no-store'],
    ])
    expect(answers[0]!.headers.vary).toBe('cookie, accept-encoding')
  })

  it('for the headers of a file makes no file', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    expect((await app.send('HEAD /v1/app/export?what=csv', { session })).status).toBe(405)
    expect((await app.send('HEAD /v1/account', { session })).status).toBe(200)
  })

  it('needs no name of the browser that sends it', async () => {
    await addAccount(db.sql, 'ada@example.com')
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.server.address() as AddressInfo
    const signIn = request({
      port,
      path: '/v1/sessions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    signIn.end(JSON.stringify({ email: 'ada@example.com', password: PASSWORD }))
    const [answer] = (await once(signIn, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(201)
    const [newest] = await db.sql`select user_agent as "userAgent" from session order by created_at desc limit 1`
    expect(newest).toEqual({ userAgent: '' })
  })

  it('opens a link where the app is not built: it says what to send', async () => {
    const { text, status } = await app.send('GET /reset-password', { headers: { host: 'prices.example.com' } })
    expect(status).toBe(200)
    expect(text).toContain('This link works once.')
    expect(text).toContain('"password":"PASSWORD"}\' http://prices.example.com/v1/password-reset/confirm')
  })

  it('is refused without a session, and with an API key', async () => {
    const { workspaceId } = await addOperator(db.sql)
    const { key } = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const without = await app.send('GET /v1/account')
    expect(without).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(without.text).toContain('Sign in first.')
    const ended = await app.send('GET /v1/account', { session: 'x'.repeat(43) })
    expect(ended).toMatchObject({ status: 401, code: 'unauthorized' })
    expect(ended.text).toContain('Your session has ended: sign in again.')
    for (const authorization of [`Bearer ${key}`, 'Bearer wrong'])
      expect(await app.send('GET /v1/account', { headers: { authorization } })).toMatchObject({
        status: 403,
        code: 'forbidden',
      })
  })
})

describe('the buckets that a request takes from', () => {
  const db = testDatabase({ each: true })
  let server: Awaited<ReturnType<typeof testServer>>
  beforeEach(async () => {
    server = await testServer(db.sql)
  })
  afterEach(() => server.close())
  const buckets = async () =>
    (await db.sql<{ key: string }[]>`select key from rate_bucket order by key`).map(({ key }) => key)
  const policy = ({ headers }: { headers: Record<string, unknown> }) => headers['ratelimit-policy']

  it('are the user’s and those of the workspace: 20 and 40 at once, 5 and 10 a second', async () => {
    const { sessionToken: session, accountId, workspaceId } = await addOperator(db.sql)
    const ada = await addAccount(db.sql, 'ada@example.com')
    const other = await foundWorkspace(db.sql, ada, { name: 'Other' })
    await db.sql`delete from rate_bucket`
    const answer = await send(server, 'GET /v1/account', { session })
    expect(policy(answer)).toBe('"user";q=20;w=4, "workspace";q=40;w=4')
    expect(await buckets()).toEqual([`caller:${accountId}`, `workspace:${workspaceId}`])
    await addMember(db.sql, other.workspaceId, accountId, 'member')
    await db.sql`delete from rate_bucket`
    await send(server, `GET /v1/keys?workspace=${other.workspaceId}`, { session })
    expect(await buckets()).toEqual([`caller:${accountId}`, `workspace:${other.workspaceId}`])
  })

  it('are also the user’s own for the price history: 5 at once, 2 a second', async () => {
    const { sessionToken: session, accountId, workspaceId } = await addOperator(db.sql)
    const answer = await send(server, 'GET /v1/prices/history', { session })
    expect(policy(answer)).toBe('"user";q=20;w=4, "history";q=5;w=3, "workspace";q=40;w=4')
    expect(await buckets()).toEqual([`caller:${accountId}`, `history:${accountId}`, `workspace:${workspaceId}`])
  })

  it('are none of a workspace to which the user does not belong', async () => {
    const { workspaceId } = await addOperator(db.sql)
    const { sessionToken: session, accountId } = await addAccount(db.sql, 'eve@example.com')
    await db.sql`delete from rate_bucket`
    const answer = await send(server, `GET /v1/keys?workspace=${workspaceId}`, { session })
    expect(answer.status).toBe(404)
    expect(await buckets()).toEqual([`caller:${accountId}`])
  })

  it('are the client address’s for what needs no session and for what lacks one: 20 at once, 5 a second', async () => {
    const requests = ['POST /v1/sessions', 'POST /v1/password-reset', 'GET /v1/account', 'GET /v1/keys']
    for (const [n, request] of requests.entries()) {
      const answer = await send(server, request, { address: `203.0.113.${n}` })
      expect(policy(answer), request).toBe('"failures";q=20;w=4')
    }
    expect(await buckets()).toEqual(requests.map((_, n) => `address:203.0.113.${n}`))
  })

  it('are those of its owner for a private feed, and the client address’s for a feed that is not there', async () => {
    const { accountId, workspaceId } = await addOperator(db.sql)
    const token = await createFeedAddress(db.sql, accountId)
    const read = (name: string) => send(server, `GET /feeds/${name}/changes.atom`, { address: '203.0.113.9' })
    await db.sql`delete from rate_bucket`
    expect((await read(token)).status).toBe(200)
    expect(await buckets()).toEqual([`caller:${accountId}`, `workspace:${workspaceId}`])
    await db.sql`delete from rate_bucket`
    for (const wrong of ['x'.repeat(43), 'short']) expect((await read(wrong)).status).toBe(404)
    expect(await buckets()).toEqual(['address:203.0.113.9'])
    await db.sql`
      insert into rate_bucket values ('address:203.0.113.9', 'infinity'), (${`caller:${accountId}`}, 'infinity')
      on conflict (key) do update set full_at = excluded.full_at`
    expect([(await read(token)).status, (await read('short')).status]).toEqual([429, 429])
  })

  it('refuse a user whose bucket is empty, with the seconds to wait', async () => {
    const { sessionToken: session, accountId } = await addOperator(db.sql)
    await db.sql`insert into rate_bucket (key, full_at) values (${`caller:${accountId}`}, 'infinity')`
    const refused = await send(server, 'GET /v1/account', { session })
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(refused.headers['retry-after']).toBe('1')
  })
})

describe('a session on the read endpoints', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  const PATHS = ['/v1/prices/history', '/v1/providers', '/v1/comparison/aliases', '/v1/catalog?provider=x']

  it('reads all four, and when it has ended none', async () => {
    const { sessionToken: session } = await addAccount(db.sql, 'ada@example.com')
    for (const path of PATHS)
      expect((await app.send(`GET ${path}`, { session })).status).toBe(path.includes('catalog') ? 404 : 200)
    await app.send('DELETE /v1/sessions', { session })
    for (const path of PATHS)
      expect(await app.send(`GET ${path}`, { session })).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  it('may review aliases when it is an operator’s, and an API key beside it counts instead of it', async () => {
    const olga = await addOperator(db.sql)
    const ada = await addAccount(db.sql, 'ada@example.com')
    const { key } = await createApiKey(db.sql, { workspaceId: olga.workspaceId, name: 'k' })
    const canReview = async (session: string, headers = {}) =>
      (await app.send('GET /v1/comparison/aliases', { session, headers })).json.canReview
    expect(await canReview(olga.sessionToken)).toBe(true)
    expect(await canReview(ada.sessionToken)).toBe(false)
    expect(await canReview(olga.sessionToken, { authorization: `Bearer ${key}` })).toBe(false)
  })
})
