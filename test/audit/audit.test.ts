import { describe, expect, it } from 'vitest'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { APP_ROUTES } from '../../src/app/routes.ts'
import { addAccount, addMember, addOperator } from '../support/accounts.ts'
import { SECRET_KEY, testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'

/** Changes that their use cases record themselves. */
const RECORDED_BY_THE_USE_CASE = [
  'POST /v1/account/feed',
  'DELETE /v1/account/feed',
  'POST /v1/account/watches',
  'PATCH /v1/account/watches/:watchId',
  'DELETE /v1/account/watches/:watchId',
  'POST /v1/account',
  'PATCH /v1/account',
  'DELETE /v1/account',
  'PUT /v1/account/password',
  'POST /v1/account/verification/confirm',
  'POST /v1/password-reset/confirm',
  'POST /v1/account/totp/confirm',
  'DELETE /v1/account/totp',
  'DELETE /v1/account/passkeys/:passkeyId',
  'POST /v1/account/identities',
  'DELETE /v1/account/identities/:identityId',
  'POST /v1/sessions/identity',
  'DELETE /v1/operator/accounts/:accountId/identities',
  'PATCH /v1/keys/:keyId',
  'PUT /v1/operator/workspaces/:workspaceId/quota',
  'POST /v1/sessions',
  'POST /v1/sessions/passkey',
  'DELETE /v1/sessions',
  'POST /v1/workspaces',
  'PATCH /v1/workspaces/:workspaceId',
  'DELETE /v1/workspaces/:workspaceId',
  'PATCH /v1/members/:accountId',
  'DELETE /v1/members/:accountId',
  'POST /v1/invitations',
  'DELETE /v1/invitations/:invitationId',
  'POST /v1/invitations/accept',
  'POST /v1/keys',
  'DELETE /v1/keys/:keyId',
  'PATCH /v1/operator/accounts/:accountId',
  'DELETE /v1/operator/accounts/:accountId/sessions',
  'DELETE /v1/operator/accounts/:accountId/totp',
  'DELETE /v1/operator/accounts/:accountId/passkeys',
]
/** Nothing of anyone’s changes: a mail is requested, something looked at or tried, one’s own session ended. */
const NOTHING_TO_RECORD = [
  'POST /v1/sign-up',
  'PUT /v1/account/email',
  // Nothing is asked for until a code was entered.
  'POST /v1/account/totp',
  'POST /v1/account/passkeys/challenge',
  'POST /v1/sessions/passkey/challenge',
  'POST /v1/account/identities/begin',
  'POST /v1/sessions/identity/begin',
  'POST /v1/account/verification',
  'POST /v1/password-reset',
  'POST /v1/invitations/read',
  'POST /v1/webhook-preview',
  'POST /v1/webhooks/:webhookId/check-request',
  'DELETE /v1/sessions/current',
  'DELETE /v1/sessions/:sessionId',
]

describe('the audit log', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  const hook = { name: 'Alerts', url: 'https://hooks.example.com/', eventTypes: ['price.changed'], providers: ['*'] }

  it('covers every route that changes something', () => {
    const silent = APP_ROUTES.filter(({ contract: { method, audit } }) => method !== 'GET' && audit === undefined)
    const named = silent.map(({ contract: { method, path } }) => `${method} ${path}`)
    expect(named.sort()).toEqual([...RECORDED_BY_THE_USE_CASE, ...NOTHING_TO_RECORD].sort())
  })

  it('says who did what, where and from which address, once for each success, and holds no secret', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const created = await app.send(`POST /v1/webhooks?workspace=${workspaceId}`, { session, body: hook })
    const { webhook, secret } = created.json as { webhook: { id: string }; secret: string }
    const refused = await app.send(`POST /v1/webhooks/${webhook.id}/secret/rotate`, { session: 'wrong' })
    await app.send(`POST /v1/webhooks/${webhook.id}/secret/reveal`, { session, address: '10.9.8.7' })
    await app.send(`POST /v1/keys?workspace=${workspaceId}`, { session, body: { name: 'k' } })
    expect(refused.status).toBe(401)
    const { json, text } = await app.send('GET /v1/operator/audit', { session })
    expect(json.entries).toMatchObject([
      { action: 'key_created', email: 'olga@example.com', workspaceId, detail: { name: 'k' } },
      { action: 'secret_revealed', subject: webhook.id, subjectName: 'Alerts', address: '10.9.8.7' },
      { action: 'webhook_created', subject: 'Alerts', workspace: 'First workspace', email: 'olga@example.com' },
      { action: 'signed_in', email: 'olga@example.com', workspaceId: null },
      { action: 'account_created', workspaceId },
    ])
    expect(text).not.toContain(secret)
    expect(text).not.toContain(SECRET_KEY)
  })

  it('names no webhook of another workspace and no account because something was named like its id', async () => {
    const olga = await addOperator(db.sql)
    const stranger = await addAccount(db.sql, 'stranger@example.com')
    const other = await foundWorkspace(db.sql, stranger, { name: 'Other' })
    const hooks = (workspace: string) => `POST /v1/webhooks?workspace=${workspace}`
    const own = await app.send(hooks(other.workspaceId), { session: stranger.sessionToken, body: hook })
    const { id } = own.json.webhook as { id: string }
    for (const name of [id, stranger.accountId])
      expect(
        (await app.send(hooks(olga.workspaceId), { session: olga.sessionToken, body: { ...hook, name } })).status,
      ).toBe(201)
    const { json } = await app.send(`GET /v1/audit?workspace=${olga.workspaceId}&action=webhook_created`, {
      session: olga.sessionToken,
    })
    expect(json.entries).toMatchObject([
      { subject: stranger.accountId, subjectName: null },
      { subject: id, subjectName: null },
    ])
  })

  it('records nothing of what failed, and cannot be changed', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const hooks = `POST /v1/webhooks?workspace=${workspaceId}`
    expect((await app.send(hooks, { session, body: { ...hook, providers: ['nobody'] } })).status).toBe(400)
    const { json } = await app.send('GET /v1/operator/audit?action=webhook_created', { session })
    expect(json).toEqual({ entries: [], next: null })
    await expect(db.sql`delete from audit_entry`).rejects.toThrow('append-only')
    await expect(db.sql`update audit_entry set detail = '{}'`).rejects.toThrow('append-only')
  })

  it('shows admins their workspace’s part, a page at a time', async () => {
    const { sessionToken: session, workspaceId, accountId } = await addOperator(db.sql)
    await app.send('POST /v1/workspaces', { session, body: { name: 'Other' } })
    for (let n = 0; n < 60; n++)
      await db.sql`insert into audit_entry (at, action, workspace_id) values (now(), 'key_deleted', ${workspaceId})`
    const read = async (query: string) =>
      (await app.send(`GET /v1/audit?workspace=${workspaceId}${query}`, { session })).json
    const first = (await read('')) as { entries: { workspaceId: string }[]; next: string }
    expect(first.entries).toHaveLength(50)
    const second = (await read(`&before=${first.next}`)) as typeof first
    expect(second.entries).toHaveLength(11)
    expect(await read('&limit=1000')).toEqual({ entries: [...first.entries, ...second.entries], next: null })
    expect(await read(`&limit=10&before=${first.next}`)).toMatchObject({ entries: second.entries.slice(0, 10) })
    for (const limit of [0, 1_001])
      expect(await read(`&limit=${limit}`)).toMatchObject({ error: { code: 'invalid_query' } })
    expect(new Set([...first.entries, ...second.entries].map((entry) => entry.workspaceId))).toEqual(
      new Set([workspaceId]),
    )
    await addMember(db.sql, workspaceId, (await addAccount(db.sql, 'ada@example.com')).accountId, 'admin')
    await db.sql`
      update workspace_member set role = 'member' where account_id = ${accountId} and workspace_id = ${workspaceId}`
    expect((await app.send(`GET /v1/audit?workspace=${workspaceId}`, { session })).status).toBe(403)
  })
})
