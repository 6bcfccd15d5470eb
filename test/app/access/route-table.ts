import { PASSWORD } from '../../support/accounts.ts'

/** A request, and what each actor gets. */
export type Row = { request: string; expected: ExpectedStatuses; body?: unknown }

export const ACTORS = ['anonymous', 'key', 'member', 'admin', 'stranger', 'operator', 'former'] as const
export type Actor = (typeof ACTORS)[number]
type ExpectedStatuses = Record<Actor, number>

/**
 * In the order of ACTORS. The operator belongs to another workspace, and may no more than a stranger in this one, who is
 * the admin of another. A former member, who was removed, is a stranger.
 */
const expect6 = (...codes: number[]): ExpectedStatuses =>
  Object.fromEntries(ACTORS.map((actor, n) => [actor, codes[actor === 'former' ? 4 : n]!])) as ExpectedStatuses
const everyone = (code: number) => expect6(code, code, code, code, code, code)
const signedIn = (code: number) => expect6(401, 403, code, code, code, code)
const members = (code: number) => expect6(401, 403, code, code, 404, 404)
const admins = (code: number) => expect6(401, 403, 403, code, 404, 404)
const operators = (code: number) => expect6(401, 403, 403, 403, 403, code)
const readers = (code: number) => expect6(401, code, code, code, code, code)

export const NOBODY = '019aa000-0000-7000-8000-000000000000'
const WRONG_TOKEN = { token: 'wrong' }
export const hook = { name: 'h', url: 'https://hooks.example.com/', eventTypes: ['price.changed'], providers: ['*'] }

export const READ_API: Row[] = [
  { request: 'GET /v1/prices/history', expected: readers(200) },
  { request: 'GET /v1/providers', expected: readers(200) },
  { request: 'GET /v1/comparison/aliases', expected: readers(200) },
  { request: 'GET /v1/catalog', expected: readers(404) },
  { request: 'GET /v1/prices/evidence/:contentHash', expected: readers(404) },
  { request: `GET /v1/log/proof?contentHash=${'0'.repeat(64)}`, expected: readers(404) },
  { request: 'POST /v1/log/proofs', body: { contentHashes: ['0'.repeat(64)] }, expected: readers(503) },
]
/** Files that say nothing but hashes and names of providers, for everyone; here no log is signed. */
export const PUBLIC_LOG: Row[] = [
  { request: 'GET /v1/log/checkpoint', expected: everyone(503) },
  { request: 'GET /v1/log/keys', expected: everyone(503) },
  { request: 'GET /v1/log/consistency?from=0', expected: everyone(503) },
  { request: 'GET /v1/log/*', expected: everyone(404) },
]
const ACCOUNT: Row[] = [
  { request: 'POST /v1/sign-up', body: { email: 'new@example.com' }, expected: everyone(202) },
  { request: 'POST /v1/account', body: { ...WRONG_TOKEN, name: 'N', password: PASSWORD }, expected: everyone(400) },
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
  { request: 'POST /v1/account/verification/confirm', body: WRONG_TOKEN, expected: everyone(400) },
  { request: 'POST /v1/password-reset', body: { email: 'new@example.com' }, expected: everyone(202) },
  {
    request: 'POST /v1/password-reset/confirm',
    body: { ...WRONG_TOKEN, password: PASSWORD },
    expected: everyone(400),
  },
  { request: 'POST /v1/sessions', body: { email: 'nobody@example.com', password: 'x' }, expected: everyone(401) },
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
  // No identity provider is set here; test/app/identities.test.ts has one.
  { request: 'POST /v1/sessions/identity/begin', expected: everyone(403) },
  { request: 'POST /v1/sessions/identity', body: { answer: 'state=x' }, expected: everyone(403) },
  { request: 'GET /v1/account/identities', expected: signedIn(200) },
  { request: 'POST /v1/account/identities/begin', body: { currentPassword: 5 }, expected: signedIn(400) },
  { request: 'POST /v1/account/identities', body: {}, expected: signedIn(400) },
  {
    request: 'DELETE /v1/account/identities/:identityId',
    body: { currentPassword: 'wrong' },
    expected: signedIn(400),
  },
  { request: 'POST /v1/sessions/passkey/challenge', expected: everyone(201) },
  { request: 'POST /v1/sessions/passkey', body: {}, expected: everyone(400) },
  { request: 'GET /v1/sessions', expected: signedIn(200) },
  { request: 'DELETE /v1/sessions/current', expected: signedIn(200) },
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
  { request: 'POST /v1/invitations/read', body: WRONG_TOKEN, expected: everyone(400) },
  { request: 'POST /v1/invitations/accept', body: WRONG_TOKEN, expected: signedIn(400) },
  { request: 'GET /v1/audit?workspace=', expected: admins(200) },
  { request: 'GET /v1/keys?workspace=', expected: members(200) },
  { request: 'POST /v1/keys?workspace=', body: { name: 'k' }, expected: members(201) },
  { request: 'PATCH /v1/keys/:keyId?workspace=', body: { networks: ['192.0.2.0/24'] }, expected: members(200) },
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
  { request: 'GET /v1/choices/events', expected: signedIn(200) },
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
  { request: 'POST /v1/webhooks/:webhookId/resend-failed', body: {}, expected: members(202) },
  { request: 'GET /v1/webhook-statistics?workspace=', expected: members(200) },
]
const PRICES: Row[] = [
  { request: 'GET /v1/app/prices', expected: signedIn(200) },
  { request: 'GET /v1/app/series?resources=[["a","b"]]', expected: signedIn(200) },
  { request: 'GET /v1/app/evidence/:contentHash', expected: signedIn(404) },
  { request: 'GET /v1/app/export?what=csv', expected: signedIn(503) },
  { request: 'GET /v1/app/documents', expected: signedIn(200) },
  { request: 'GET /v1/app/documents/:provider/:document', expected: signedIn(404) },
  { request: 'GET /v1/app/feed', expected: signedIn(200) },
  { request: 'GET /v1/app/feed/recorded?after=["2026-01-01T00:00:00Z","a","b","c"]', expected: signedIn(200) },
  { request: 'GET /v1/app/overview', expected: signedIn(200) },
  { request: 'GET /v1/account/feed', expected: signedIn(200) },
  { request: 'POST /v1/account/feed', expected: signedIn(201) },
  { request: 'DELETE /v1/account/feed', expected: signedIn(204) },
  { request: 'GET /v1/account/watches', expected: signedIn(200) },
  // These tests have no mail server: those who may get the error that says so.
  { request: 'POST /v1/account/watches', body: { provider: 'p', frequency: 'daily' }, expected: signedIn(503) },
  { request: 'PATCH /v1/account/watches/:watchId', body: { frequency: 'daily' }, expected: signedIn(404) },
  { request: 'DELETE /v1/account/watches/:watchId', expected: signedIn(404) },
]
const DECISION = { ids: [NOBODY], decision: 'approve', reason: 'reviewed' }
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
  { request: 'GET /v1/operator/accuracy', expected: operators(200) },
  { request: 'GET /v1/operator/accuracy/contradicted?provider=p', expected: operators(200) },
  { request: 'GET /v1/operator/sources', expected: operators(200) },
  { request: 'GET /v1/operator/sources/:source', expected: operators(404) },
  { request: 'POST /v1/operator/sources/:source/collect', expected: operators(404) },
  // Tests have no Temporal server here: those who may get the error that it does not answer.
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
  { request: 'DELETE /v1/operator/accounts/:accountId/identities', expected: operators(200) },
  { request: 'GET /v1/operator/workspaces', expected: operators(200) },
  {
    request: 'PUT /v1/operator/workspaces/:workspaceId/quota',
    body: { webhooks: 20, apiKeys: null, members: null, requestsPerMinute: null },
    expected: operators(204),
  },
  { request: 'GET /v1/operator/audit', expected: operators(200) },
  { request: 'GET /v1/operator/audit/export?format=csv', expected: operators(200) },
  {
    request: `GET /v1/search?q=gpt&after=${Buffer.from('[0,0,"a","b"]').toString('base64url')}`,
    expected: signedIn(200),
  },
]
/** Every route below /v1. */
export const TABLE = [...READ_API, ...PUBLIC_LOG, ...ACCOUNT, ...WORKSPACE, ...WEBHOOKS, ...PRICES, ...OPERATOR]

/** Every route outside /v1: it answers everyone alike. What it shows of an installation is nothing that needs a key. */
export const OUTSIDE: Record<string, number> = {
  'GET /': 200,
  'GET /healthz': 200,
  'GET /readyz': 503, // no worker runs in these tests
  'GET /readyz/reads': 200,
  'GET /openapi.json': 200,
  'GET /llms.txt': 200,
  'GET /robots.txt': 200,
  'GET /docs': 302, // the app is not built in these tests
  'GET /docs/': 302,
  'GET /docs/json': 200,
  'GET /docs/yaml': 200,
  'GET /docs/static/swagger-ui-bundle.js': 200,
  'GET /docs/static/swagger-ui.css': 200,
  // What links in mails lead to where the app is not built.
  'GET /first-account': 200,
  'GET /invitation': 200,
  'GET /reset-password': 200,
  'GET /sign-up': 200,
  'GET /verify-email': 200,
  'GET /feeds/:token/changes.atom': 404,
  'GET /unsubscribe/:token': 404,
  'POST /unsubscribe/:token': 404,
}
