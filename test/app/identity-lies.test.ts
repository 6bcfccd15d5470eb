import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createIdentityProvider } from '../../src/accounts/identities/provider.ts'
import { createProviderFetch } from '../../src/accounts/identities/provider-fetch.ts'
import { readConfig } from '../../src/lib/config.ts'
import { SECOND } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { buildServer } from '../../src/server.ts'
import { addOperator, PASSWORD } from '../support/accounts.ts'
import { send } from '../support/app/app.ts'
import { providerApp } from '../support/app/provider-sign-in.ts'
import { testDatabase } from '../support/database.ts'
import { identityProvider, type Lies } from '../support/servers/identity-provider.ts'

const ago = (seconds: number) => Math.floor(Date.now() / SECOND) - seconds
const IN_GROUP = { groups: ['/people'] }
const TRUST = 'was not accepted'
const SILENT = 'does not answer as it should'
const unread = { status: 503, code: 'identity_unavailable' }
const refused = { status: 401, code: 'identity_refused' }

/** What the provider does wrong, what the answer is, and what its message says. */
const LIES: [string, Lies, { status: number; code: string }, string][] = [
  ['a token from another issuer', { claims: { iss: 'https://evil.example' } }, refused, 'from another provider'],
  ['a token for another service', { claims: { aud: 'someone-else' } }, refused, 'for another service'],
  ['a token of another sign-in', { claims: { nonce: 'n' } }, refused, 'of another sign-in'],
  ['a token without nonce', { claims: { nonce: undefined } }, refused, TRUST],
  ['an expired token', { claims: { iat: ago(600), exp: ago(60) } }, refused, 'it has expired'],
  ['a token that is not valid yet', { claims: { nbf: ago(-600) } }, refused, 'a clock is wrong'],
  ['a token without end', { claims: { exp: undefined } }, refused, TRUST],
  ['a token without subject', { claims: { sub: undefined } }, refused, TRUST],
  ['a token with an empty subject', { claims: { sub: '' } }, refused, 'does not say who you are'],
  ['a subject that cannot be stored', { claims: { sub: 'a\0b' } }, refused, 'does not say who you are'],
  ['an unsigned token', { signature: 'none' }, refused, TRUST],
  ['a token signed by another key', { signature: 'another key' }, refused, 'not signed by its keys'],
  ['a damaged signature', { signature: 'damaged' }, refused, 'not signed by its keys'],
  ['a token signed with the public key as a secret', { signature: 'hmac' }, refused, TRUST],
  ['no token', { noToken: true }, refused, TRUST],
  ['groups that are elsewhere', { claims: { _claim_names: { groups: 'src1' } } }, refused, 'too many'],
  ['no sign-in', { refuses: 'access_denied' }, refused, 'did not sign you in (access_denied)'],
  ['keys that are not there', { status: { '/jwks': 404 } }, unread, SILENT],
  ['keys that lead elsewhere', { status: { '/jwks': 302 } }, unread, SILENT],
  ['a token page that fails', { status: { '/token': 500 } }, unread, SILENT],
  ['a token page that leads elsewhere', { status: { '/token': 307 } }, unread, SILENT],
  ['a token page that shows HTML', { nonsense: ['/token'] }, unread, SILENT],
  ['a user page that fails', { claims: { email: undefined }, status: { '/userinfo': 503 } }, unread, SILENT],
]

describe('an identity provider that lies or fails', () => {
  const db = testDatabase({ each: true })
  const app = providerApp(db, { PRICETAPE_OIDC_ROLES: '/people=First workspace:member' })
  beforeEach(async () => {
    await addOperator(db.sql)
  })
  const signedIn = () => db.sql`select from session s join account a using (account_id) where a.operator is false`
  const byPassword = () => app.send('POST /v1/sessions', { body: { email: 'olga@example.com', password: PASSWORD } })

  for (const [what, lies, expected, text] of LIES)
    it(`signs no one in with ${what}, says so, and leaves passwords alone`, async () => {
      app.provider.lies = lies
      const answer = await app.signIn(IN_GROUP)
      expect(answer).toMatchObject({ ...expected, session: undefined })
      expect(answer.text).toContain('Acme login')
      expect(answer.text).toContain(text)
      expect(await signedIn()).toHaveLength(0)
      expect((await byPassword()).status).toBe(201)
      app.provider.lies = {}
      expect((await app.signIn(IN_GROUP)).status).toBe(201)
    })

  for (const [what, lies, expected] of [
    ['is down', { status: { '/.well-known/openid-configuration': 503 } }, unread],
    ['shows HTML instead', { nonsense: ['/.well-known/openid-configuration'] }, unread],
    ['names another issuer', { metadata: { issuer: 'https://evil.example' } }, refused],
    ['names a page that is a script', { metadata: { authorization_endpoint: 'javascript:alert(1)//' } }, unread],
    ['names a page without https', { metadata: { authorization_endpoint: 'http://evil.example/' } }, unread],
    ['names no page', { metadata: { authorization_endpoint: undefined } }, unread],
  ] as const)
    it(`sends no one to a provider that ${what}`, async () => {
      app.provider.lies = lies as Lies
      expect(await app.send('POST /v1/sessions/identity/begin')).toMatchObject(expected)
      expect((await byPassword()).status).toBe(201)
      app.provider.lies = {}
      expect((await app.signIn(IN_GROUP)).status).toBe(201)
    })

  it('signs in with a token of a clock that is some seconds off', async () => {
    app.provider.lies = { claims: { exp: ago(5), nbf: ago(-20) } }
    expect((await app.signIn(IN_GROUP)).status).toBe(201)
  })

  it('signs no one in with a code that was redeemed before, and says to try again', async () => {
    const visited = await app.visit(IN_GROUP)
    const code = new URLSearchParams(visited.answer).get('code')!
    const { PRICETAPE_OIDC_CLIENT_ID: id, PRICETAPE_OIDC_CLIENT_SECRET: secret } = app.env
    const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
    await fetch(`${app.provider.issuer}/token`, { method: 'POST', headers, body: new URLSearchParams({ code }) })
    const answer = await app.finish(visited)
    expect(answer).toMatchObject({ ...refused, session: undefined })
    expect(answer.text).toContain('This sign-in at Acme login took too long or was used already. Try again.')
  })

  it('names the operator where the provider refuses the service itself', async () => {
    const visited = await app.visit(IN_GROUP)
    const config = readConfig({ ...app.env, PRICETAPE_OIDC_CLIENT_SECRET: 'an earlier one' })
    const server = await buildServer({ sql: db.sql, config, log: createLog('silent') }, {})
    const given = { headers: { cookie: visited.cookie }, body: { answer: visited.answer } }
    const answer = await send(server, 'POST /v1/sessions/identity', given)
    expect(answer).toMatchObject({ ...unread, session: undefined })
    expect(answer.text).toContain('Acme login refuses this service (invalid_client): tell its operator.')
    await server.close()
  })

  it.each([
    ['in a header', 'names no way', undefined],
    ['in a header', 'takes no form', ['client_secret_basic', 'private_key_jwt']],
    ['in the form', 'takes forms', ['client_secret_basic', 'client_secret_post']],
  ])('shows the secret of the service %s to a provider that %s', async (_, __, methods) => {
    app.provider.lies = { metadata: { token_endpoint_auth_methods_supported: methods } }
    expect((await app.signIn(IN_GROUP)).status).toBe(201)
  })

  it('needs the user page only where the email or the groups are not in the token', async () => {
    const answer = async (claims: object) => {
      app.provider.lies = { claims: { ...claims }, status: { '/userinfo': 503 } }
      return (await app.signIn(IN_GROUP)).status
    }
    expect([await answer({ email: undefined }), await answer({ groups: undefined }), await answer({})]).toEqual([
      503, 503, 201,
    ])
  })

  it('waits five seconds for a provider that is silent, and meanwhile answers everyone else', async () => {
    app.provider.lies = { silent: ['/token'] }
    const visited = await app.visit(IN_GROUP)
    const started = Date.now()
    const waiting = app.finish(visited)
    expect((await byPassword()).status).toBe(201)
    expect(Date.now() - started).toBeLessThan(3_000)
    expect(await waiting).toMatchObject({ ...unread, session: undefined })
    expect(Date.now() - started).toBeGreaterThan(4_500)
    expect(await signedIn()).toHaveLength(0)
  })

  it('signs people out here although the provider is down or names no page for it', async () => {
    for (const lies of [
      { status: { '/.well-known/openid-configuration': 503 } },
      { metadata: { end_session_endpoint: 'javascript:alert(1)' } },
      { metadata: { end_session_endpoint: undefined } },
    ]) {
      app.provider.lies = {}
      const { session } = await app.signIn(IN_GROUP)
      app.provider.lies = lies
      const { server } = await freshNode()
      const out = await send(server, 'DELETE /v1/sessions/current', { session })
      expect([out.status, out.json]).toEqual([200, { continueAt: null }])
      expect(await signedIn()).toHaveLength(0)
      await server.close()
    }
  })

  /** Another process, which knows nothing of the provider yet, and what it logs. */
  async function freshNode() {
    const lines: string[] = []
    const log = createLog('trace', 'json', { write: (line: string) => void lines.push(line) })
    return { server: await buildServer({ sql: db.sql, config: readConfig(app.env), log }, {}), lines }
  }

  it('logs why a sign-in failed, and never a code, a token or a secret', async () => {
    const { server, lines } = await freshNode()
    for (const [, lies] of LIES) {
      app.provider.lies = {}
      const begun = await send(server, 'POST /v1/sessions/identity/begin')
      app.provider.lies = lies
      Object.assign(app.provider.person, IN_GROUP)
      const cookie = /pricetape-identity=[\w-]+/.exec(String(begun.headers['set-cookie']))![0]
      const sent = await fetch(begun.json.url as string, { redirect: 'manual' })
      const answer = new URL(sent.headers.get('location')!).search
      await send(server, 'POST /v1/sessions/identity', { headers: { cookie }, body: { answer } })
    }
    await server.close()
    const logged = lines.join('')
    expect(logged).toContain('a sign-in was refused')
    expect(logged).toContain('OAUTH_JWT_CLAIM_COMPARISON_FAILED')
    for (const secret of app.provider.secrets) expect(logged).not.toContain(secret)
    expect(logged).not.toContain('ada@example.com')
  })
})

describe('requests to an identity provider', () => {
  const settings = (issuer: string) =>
    readConfig({
      PRICETAPE_OIDC_ISSUER: issuer,
      PRICETAPE_OIDC_CLIENT_ID: 'pricetape',
      PRICETAPE_OIDC_CLIENT_SECRET: 's',
    }).oidc!

  it('go to the declared issuer wherever it is, and nowhere else that is not public', async () => {
    const seen: string[] = []
    const serverOf = async (answer: () => unknown) => {
      const server = createServer(({ url }, reply) => {
        seen.push(url!)
        reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer()))
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }
    const neighbour = await serverOf(() => ({}))
    const clients = { checked: createSafeFetch(), any: createSafeFetch({ allowPrivate: true }) }
    const fetch = createProviderFetch('http://127.0.0.1:1', clients)
    const request = { method: 'GET', headers: {} }
    for (const url of [`${neighbour.origin}/keys`, 'http://example.com/keys', 'file:///etc/passwd'])
      await expect(fetch(url, request)).rejects.toThrow('it names an address that is not https')
    for (const host of [new URL(neighbour.origin).host, 'localhost/keys', '169.254.169.254/latest'])
      await expect(fetch(`https://${host}`, request)).rejects.toThrow(/is not allowed|use a public/)
    expect(seen).toEqual([])
    const own = createProviderFetch(neighbour.origin, clients)
    expect(await (await own(`${neighbour.origin}/keys`, request)).json()).toEqual({})
    await Promise.all([clients.checked.close(), clients.any.close()])
    neighbour.server.closeAllConnections()
    neighbour.server.close()
  })

  it('read an answer of a megabyte at most', async () => {
    let bytes = 0
    const server = createServer((_, reply) => void reply.end('x'.repeat(bytes)))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const clients = { checked: createSafeFetch(), any: createSafeFetch({ allowPrivate: true }) }
    const fetch = createProviderFetch(origin, clients)
    const size = async () => (await (await fetch(`${origin}/keys`, { method: 'GET', headers: {} })).text()).length
    bytes = 1_048_576
    expect(await size()).toBe(1_048_576)
    bytes += 1
    await expect(size()).rejects.toThrow('1048576')
    await Promise.all([clients.checked.close(), clients.any.close()])
    server.closeAllConnections()
    server.close()
  })

  it('ask for what the provider says of itself once in ten minutes', async () => {
    const known = await identityProvider()
    const clients = { checked: createSafeFetch(), any: createSafeFetch({ allowPrivate: true }) }
    const fetch = createProviderFetch(known.issuer, clients)
    const oidc = readConfig(known.settings()).oidc!
    const provider = createIdentityProvider(oidc, { origin: 'http://localhost:8080', fetch, warn: () => {} })
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const asked = async (minutes: number) => {
      vi.advanceTimersByTime(minutes * 60_000)
      await provider.signInUrl({ state: 's', browserToken: 'b' })
      return known.requests.length
    }
    expect([await asked(0), await asked(9), await asked(2), await asked(9)]).toEqual([1, 1, 2, 2])
    await Promise.all([clients.checked.close(), clients.any.close(), known.close()])
  })

  it('are answered at once with what to do when nothing listens there', async () => {
    const clients = { checked: createSafeFetch(), any: createSafeFetch({ allowPrivate: true }) }
    const warned: object[] = []
    const issuer = 'http://127.0.0.1:1'
    const provider = createIdentityProvider(settings(issuer), {
      origin: 'http://localhost:8080',
      fetch: createProviderFetch(issuer, clients),
      warn: (problem) => void warned.push(problem),
    })
    const begun = provider.signInUrl({ state: 's', browserToken: 'b' })
    await expect(begun).rejects.toMatchObject({ code: 'identity_unavailable' })
    expect(warned).toEqual([{ code: 'no_answer', reason: expect.stringContaining('refused') }])
    expect(await provider.signOutUrl()).toBeUndefined()
    await Promise.all([clients.checked.close(), clients.any.close()])
  })
})
