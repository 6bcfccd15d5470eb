import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/create-api-key.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { startSession } from '../../src/accounts/sessions/start-session.ts'
import type { Api } from '../../src/api/route.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { addAccount, addMember, addOperator, device, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { testServer } from '../support/api.ts'
import { SECRET_KEY, send } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { operator } from '../support/subscriptions.ts'

/** What a row of the table may name: made anew for each of its cells, where a cell changes anything. */
type Targets = { workspaceId: string; guest: string; session: string }
type Row = { request: string; expected: Expected; body?: unknown }

const ACTORS = ['anonymous', 'key', 'member', 'admin', 'stranger', 'operator'] as const
type Actor = (typeof ACTORS)[number]
type Expected = Record<Actor, number>

/** In the order of ACTORS. The operator belongs to another workspace, and may no more than a stranger in this one. */
const expect6 = (...codes: number[]): Expected =>
  Object.fromEntries(ACTORS.map((actor, n) => [actor, codes[n]!])) as Expected
const everybody = (code: number) => expect6(code, code, code, code, code, code)
const signedIn = (code: number) => expect6(401, 403, code, code, code, code)
const members = (code: number) => expect6(401, 403, code, code, 404, 404)
const admins = (code: number) => expect6(401, 403, 403, code, 404, 404)
const operators = (code: number) => expect6(401, 403, 403, 403, 403, code)
const readers = (code: number) => expect6(401, code, code, code, code, code)

const NOBODY = '019aa000-0000-7000-8000-000000000000'
const WRONG_TOKEN = { token: 'wrong' }
const hook = { name: 'h', url: 'https://hooks.example.com/', eventTypes: ['price.changed'], providers: ['*'] }

const READ_API: Row[] = [
  { request: 'GET /v1/prices/history', expected: readers(200) },
  { request: 'GET /v1/providers', expected: readers(200) },
  { request: 'GET /v1/comparison/aliases', expected: readers(200) },
  { request: 'GET /v1/catalog', expected: readers(404) },
]
const ACCOUNT: Row[] = [
  { request: 'POST /v1/sign-up', body: { email: 'new@example.com' }, expected: everybody(202) },
  { request: 'POST /v1/account', body: { ...WRONG_TOKEN, name: 'N', password: PASSWORD }, expected: everybody(400) },
  { request: 'GET /v1/account', expected: signedIn(200) },
  { request: 'PATCH /v1/account', body: { name: 'N' }, expected: signedIn(200) },
  { request: 'DELETE /v1/account', body: { currentPassword: 'wrong' }, expected: signedIn(400) },
  {
    request: 'PUT /v1/account/password',
    body: { currentPassword: PASSWORD, password: PASSWORD },
    expected: signedIn(204),
  },
  {
    request: 'PUT /v1/account/email',
    body: { currentPassword: PASSWORD, email: 'another@example.com' },
    expected: signedIn(202),
  },
  { request: 'POST /v1/account/verification', expected: signedIn(202) },
  { request: 'POST /v1/account/verification/confirm', body: WRONG_TOKEN, expected: everybody(400) },
  { request: 'POST /v1/password-reset', body: { email: 'new@example.com' }, expected: everybody(202) },
  {
    request: 'POST /v1/password-reset/confirm',
    body: { ...WRONG_TOKEN, password: PASSWORD },
    expected: everybody(400),
  },
  { request: 'POST /v1/sessions', body: { email: 'nobody@example.com', password: 'x' }, expected: everybody(401) },
  { request: 'GET /v1/session', expected: expect6(200, 403, 200, 200, 200, 200) },
  { request: 'GET /v1/account/totp', expected: signedIn(200) },
  { request: 'POST /v1/account/totp/confirm', body: {}, expected: signedIn(400) },
  { request: 'POST /v1/account/totp', body: { currentPassword: PASSWORD }, expected: signedIn(201) },
  { request: 'DELETE /v1/account/totp', body: { currentPassword: 'wrong', code: '1' }, expected: signedIn(400) },
  { request: 'GET /v1/account/passkeys', expected: signedIn(200) },
  { request: 'POST /v1/account/passkeys', body: {}, expected: signedIn(400) },
  {
    request: 'POST /v1/account/passkeys/challenge',
    body: { currentPassword: PASSWORD },
    expected: signedIn(201),
  },
  { request: 'PATCH /v1/account/passkeys/:passkeyId', body: { name: 'N' }, expected: signedIn(404) },
  {
    request: 'DELETE /v1/account/passkeys/:passkeyId',
    body: { currentPassword: 'wrong' },
    expected: signedIn(400),
  },
  { request: 'POST /v1/sessions/passkey/challenge', expected: everybody(201) },
  { request: 'POST /v1/sessions/passkey', body: {}, expected: everybody(400) },
  { request: 'GET /v1/sessions', expected: signedIn(200) },
  { request: 'DELETE /v1/sessions/current', expected: signedIn(204) },
  { request: 'DELETE /v1/sessions/:sessionId', expected: signedIn(404) },
  { request: 'DELETE /v1/sessions', expected: signedIn(200) },
]
const WORKSPACE: Row[] = [
  { request: 'GET /v1/workspaces', expected: signedIn(200) },
  { request: 'POST /v1/workspaces', body: { name: '' }, expected: signedIn(400) },
  // It has a webhook.
  { request: 'DELETE /v1/workspaces/:workspaceId', expected: admins(409) },
  { request: 'PATCH /v1/workspaces/:workspaceId', body: { name: 'W' }, expected: admins(200) },
  { request: 'GET /v1/members?workspace=', expected: members(200) },
  { request: 'PATCH /v1/members/:accountId?workspace=', body: { role: 'member' }, expected: admins(204) },
  { request: 'DELETE /v1/members/:accountId?workspace=', expected: expect6(401, 403, 403, 204, 404, 404) },
  { request: 'GET /v1/invitations?workspace=', expected: admins(200) },
  {
    request: 'POST /v1/invitations?workspace=',
    body: { email: 'i@example.com', role: 'member' },
    expected: admins(201),
  },
  { request: 'DELETE /v1/invitations/:invitationId?workspace=', expected: admins(204) },
  { request: 'POST /v1/invitations/read', body: WRONG_TOKEN, expected: everybody(400) },
  { request: 'POST /v1/invitations/accept', body: WRONG_TOKEN, expected: signedIn(400) },
  { request: 'GET /v1/audit?workspace=', expected: admins(200) },
  { request: 'GET /v1/keys?workspace=', expected: members(200) },
  { request: 'POST /v1/keys?workspace=', body: { name: 'k' }, expected: members(201) },
  { request: 'DELETE /v1/keys/:keyId?workspace=', expected: members(204) },
]
const WEBHOOKS: Row[] = [
  { request: 'GET /v1/webhooks?workspace=', expected: members(200) },
  { request: 'POST /v1/webhooks?workspace=', body: hook, expected: members(201) },
  {
    request: 'POST /v1/webhook-preview',
    body: { eventTypes: ['price.changed'], providers: ['*'] },
    expected: signedIn(200),
  },
  { request: 'GET /v1/choices', expected: signedIn(200) },
  { request: 'GET /v1/choices/resources?search=gpt', expected: signedIn(200) },
  { request: 'GET /v1/webhooks/:webhookId', expected: members(200) },
  { request: 'PATCH /v1/webhooks/:webhookId', body: { name: 'n' }, expected: members(200) },
  { request: 'DELETE /v1/webhooks/:webhookId', expected: members(204) },
  { request: 'POST /v1/webhooks/:webhookId/test', expected: members(202) },
  { request: 'POST /v1/webhooks/:webhookId/pause', expected: members(200) },
  { request: 'POST /v1/webhooks/:webhookId/resume', expected: members(200) },
  { request: 'POST /v1/webhooks/:webhookId/secret/reveal', expected: members(200) },
  { request: 'POST /v1/webhooks/:webhookId/secret/rotate', expected: members(200) },
  {
    request: 'POST /v1/webhooks/:webhookId/check-request',
    body: { headers: '', body: '' },
    expected: members(200),
  },
  { request: 'GET /v1/webhooks/:webhookId/deliveries', expected: members(200) },
  { request: 'GET /v1/webhooks/:webhookId/deliveries/:deliveryId', expected: members(200) },
  { request: 'POST /v1/webhooks/:webhookId/deliveries/:deliveryId/resend', expected: members(202) },
]
const PRICES: Row[] = [
  { request: 'GET /v1/app/prices', expected: signedIn(200) },
  { request: 'GET /v1/app/series?resources=[["a","b"]]', expected: signedIn(200) },
  { request: 'GET /v1/app/documents', expected: signedIn(200) },
  { request: 'GET /v1/app/documents/:provider/:document', expected: signedIn(404) },
  { request: 'GET /v1/app/feed', expected: signedIn(200) },
  { request: 'GET /v1/app/overview', expected: signedIn(200) },
  { request: 'GET /v1/account/feed', expected: signedIn(200) },
  { request: 'POST /v1/account/feed', expected: signedIn(201) },
  { request: 'DELETE /v1/account/feed', expected: signedIn(204) },
]
const DECISION = { ids: [NOBODY], decision: 'approve', reason: 'looked at' }
const OPERATOR: Row[] = [
  { request: 'GET /v1/operator/review', expected: operators(200) },
  { request: 'GET /v1/operator/review/:itemId', expected: operators(404) },
  { request: 'POST /v1/operator/review/decisions', body: DECISION, expected: operators(200) },
  { request: 'GET /v1/operator/prices?provider=p&resource=r', expected: operators(200) },
  {
    request: 'POST /v1/operator/prices/:contentHash/correct',
    body: { price: '1', reason: 'r' },
    expected: operators(404),
  },
  { request: 'POST /v1/operator/prices/:contentHash/withdraw', body: { reason: 'r' }, expected: operators(404) },
  { request: 'POST /v1/operator/prices/:contentHash/restore', body: { reason: 'r' }, expected: operators(404) },
  { request: 'GET /v1/operator/sources', expected: operators(200) },
  { request: 'GET /v1/operator/sources/:source', expected: operators(404) },
  { request: 'POST /v1/operator/sources/:source/collect', expected: operators(404) },
  // Tests have no Temporal server here: who may is told that it does not answer.
  { request: 'POST /v1/operator/check', expected: operators(503) },
  { request: 'GET /v1/operator/snapshots/:hash', expected: operators(404) },
  { request: 'GET /v1/operator/aliases', expected: operators(200) },
  { request: 'POST /v1/operator/aliases', body: { name: '', members: [] }, expected: operators(400) },
  { request: 'POST /v1/operator/aliases/accept', body: { names: ['x'] }, expected: operators(200) },
  {
    request: 'PUT /v1/operator/aliases/:groupId',
    body: { name: 'n', members: [{ provider: 'p', resource: 'r' }], ifRevision: 1 },
    expected: operators(404),
  },
  { request: 'DELETE /v1/operator/aliases/:groupId', expected: operators(404) },
  { request: 'GET /v1/operator/providers', expected: operators(200) },
  { request: 'GET /v1/operator/accounts', expected: operators(200) },
  { request: 'PATCH /v1/operator/accounts/:accountId', body: { disabled: false }, expected: operators(204) },
  { request: 'DELETE /v1/operator/accounts/:accountId/sessions', expected: operators(200) },
  { request: 'DELETE /v1/operator/accounts/:accountId/totp', expected: operators(204) },
  { request: 'DELETE /v1/operator/accounts/:accountId/passkeys', expected: operators(200) },
  { request: 'GET /v1/operator/audit', expected: operators(200) },
  { request: 'GET /v1/search?q=gpt', expected: signedIn(200) },
]
const TABLE = [...READ_API, ...ACCOUNT, ...WORKSPACE, ...WEBHOOKS, ...PRICES, ...OPERATOR]

/** Every route that Fastify has below /v1, with its method. */
function routesOf(server: Api): string[] {
  const found: string[] = []
  const path: string[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    if (indent === undefined) continue
    path.splice(indent.length / 4, path.length, part!)
    for (const method of methods?.split(', ') ?? [])
      if (method !== 'HEAD' && path.join('').startsWith('/v1/')) found.push(`${method} ${path.join('')}`)
  }
  return found
}

describe('who may do what', () => {
  const db = testDatabase()
  let server: Api
  let targets: Targets
  const people = {} as Record<Actor, { accountId: string }>
  let key: string

  beforeAll(async () => {
    server = await testServer(db.sql, {
      PRICETAPE_SECRET_KEY: SECRET_KEY,
      PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
      PRICETAPE_SIGN_UP: 'open',
    })
    server.addHook('onRequest', async () => void (await db.sql`delete from rate_bucket`))
    people.operator = await addOperator(db.sql)
    for (const actor of ['admin', 'member', 'stranger'] as const)
      people[actor] = await addAccount(db.sql, `${actor}@example.com`)
    const { workspaceId } = await foundWorkspace(db.sql, people.admin, { name: 'W' })
    await foundWorkspace(db.sql, people.stranger, { name: 'Other' })
    const guest = await addAccount(db.sql, 'guest@example.com')
    key = (await createApiKey(db.sql, { workspaceId, name: 'k' })).key
    targets = { workspaceId, guest: guest.accountId, session: '' }
  })
  afterAll(() => server.close())

  it('is in this table for every route that there is', () => {
    const withoutQuery = TABLE.map(({ request }) => request.split('?')[0]!)
    expect(withoutQuery.sort()).toEqual(routesOf(server).sort())
  })

  for (const row of TABLE) {
    it(`${row.request}: ${ACTORS.map((actor) => `${actor} ${row.expected[actor]}`).join(', ')}`, async () => {
      const got: Record<string, number> = {}
      let request = ''
      for (const actor of ACTORS) {
        // What is only read stays as it was made for the first of them.
        if (request === '' || !row.request.startsWith('GET ')) request = await prepared(row.request)
        got[actor] = await statusFor(request, row.body, actor)
      }
      expect(got).toEqual(row.expected)
    })
  }

  async function prepared(request: string): Promise<string> {
    await restore(db.sql)
    return filled(request)
  }

  async function statusFor(request: string, body: unknown, actor: Actor): Promise<number> {
    const person = people[actor]
    const session = person && ((await db.sql.begin((tx) => startSession(tx, person.accountId, device))) as string)
    const headers: Record<string, string> = actor === 'key' ? { authorization: `Bearer ${key}` } : {}
    return (await send(server, request, { body, session, headers })).status
  }

  /** The members as they were, and room below every limit. */
  async function restore(sql: Sql): Promise<void> {
    const { workspaceId, guest } = targets
    await sql`delete from workspace_member where workspace_id = ${workspaceId} and account_id <> ${people.admin.accountId}`
    await addMember(sql, workspaceId, people.member.accountId, 'member')
    await addMember(sql, workspaceId, guest, 'member')
    await sql`delete from invitation`
    await sql`delete from webhook where workspace_id = ${workspaceId}`
    await sql`delete from sign_in_failure`
  }

  /** A request with what it names, made for it. */
  async function filled(request: string): Promise<string> {
    const { workspaceId, guest } = targets
    const acting = { workspaceId, accountId: people.admin.accountId }
    let path = request.replace('?workspace=', `?workspace=${workspaceId}`).replace(':workspaceId', workspaceId)
    path = path.replace(':accountId', guest).replace(/:(sessionId|itemId|groupId|passkeyId)/, NOBODY)
    if (path.includes(':invitationId')) {
      const invited = await sendInvitation(db.sql, silentMail(), acting, { email: 'x@example.com', role: 'member' })
      expect(tokenOf(invited.link!)).toBeTruthy()
      path = path.replace(':invitationId', invited.invitationId)
    }
    if (path.includes(':keyId'))
      path = path.replace(':keyId', (await createApiKey(db.sql, { workspaceId, name: 'k' })).keyId)
    if (!path.includes(':webhookId') && !request.startsWith('DELETE /v1/workspaces')) return path
    const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
    const { webhook } = await createWebhook(db.sql, tools, workspaceId, { ...hook, eventTypes: ['price.changed'] })
    if (path.includes(':deliveryId'))
      path = path.replace(':deliveryId', (await sendTestEvent(operator(db.sql), webhook)).deliveryId)
    return path.replace(':webhookId', webhook.id)
  }
})
