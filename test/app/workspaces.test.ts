import { describe, expect, it } from 'vitest'
import { addAccount, addMember, addOperator, PASSWORD, tokenOf } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'

const DAY_S = 86_400

describe('workspaces, members, invitations and keys', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)

  it('a fourth workspace is organization_limit', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const create = (name: string) => app.send('POST /v1/workspaces', { session, body: { name } })
    expect((await create('Two')).json.workspace).toMatchObject({ name: 'Two', role: 'admin' })
    expect((await create('Three')).status).toBe(201)
    expect(await create('Four')).toMatchObject({ status: 409, code: 'organization_limit' })
    expect(await create('x'.repeat(81))).toMatchObject({ status: 400, code: 'invalid_body', field: 'name' })
    const { workspaces } = (await app.send('GET /v1/workspaces', { session })).json
    expect(workspaces).toMatchObject([{ name: 'First workspace' }, { name: 'Two' }, { name: 'Three' }])
    const [{ workspaceId }] = workspaces as [{ workspaceId: string }]
    const renamed = await app.send(`PATCH /v1/workspaces/${workspaceId}`, { session, body: { name: 'One' } })
    expect(renamed.json.workspace).toMatchObject({ workspaceId, name: 'One' })
  })

  it('a workspace is deleted by its admin, and an account by its owner, while one admin and one operator stay', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const mia = await addAccount(db.sql, 'mia@example.com')
    const other = await app.send('POST /v1/workspaces', { session, body: { name: 'Other' } })
    const id = (other.json.workspace as { workspaceId: string }).workspaceId
    await addMember(db.sql, id, mia.accountId, 'member')
    expect((await app.send(`DELETE /v1/workspaces/${id}`, { session: mia.sessionToken })).status).toBe(403)
    expect((await app.send(`DELETE /v1/workspaces/${id}`, { session })).status).toBe(204)
    expect((await app.send(`DELETE /v1/workspaces/${workspaceId}`, { session })).code).toBe('workspace_in_use')

    const leave = (who: string, currentPassword = PASSWORD) =>
      app.send('DELETE /v1/account', { session: who, body: { currentPassword } })
    expect(await leave(session, 'wrong')).toMatchObject({ status: 400, field: 'currentPassword' })
    expect((await leave(session)).code).toBe('last_admin')
    await addMember(db.sql, workspaceId, mia.accountId, 'admin')
    expect((await leave(session)).code).toBe('last_operator')
    await db.sql`update account set operator = true where account_id = ${mia.accountId}`
    expect(await leave(session)).toMatchObject({ status: 204, session: '' })
    expect((await app.send('GET /v1/account', { session })).status).toBe(401)
    const { entries } = (await app.send('GET /v1/operator/audit', { session: mia.sessionToken })).json
    const [last] = entries as object[]
    expect(last).toMatchObject({ action: 'account_deleted', subject: 'olga@example.com', email: 'olga@example.com' })
  })

  it('a 21st invitation in 24 hours is invitation_limit, with the seconds to wait', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const invite = (n: number) =>
      app.send(`POST /v1/invitations?workspace=${workspaceId}`, {
        session,
        body: { email: `u${n}@example.com`, role: 'member' },
      })
    for (let n = 1; n <= 20; n++) expect((await invite(n)).status).toBe(201)
    const refused = await invite(21)
    expect(refused).toMatchObject({ status: 429, code: 'invitation_limit' })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(DAY_S - 300)
    expect(wait).toBeLessThanOrEqual(DAY_S)
  })

  it('says of several limits the longest wait', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const invite = (email: string) =>
      app.send(`POST /v1/invitations?workspace=${workspaceId}`, { session, body: { email, role: 'member' } })
    for (let n = 1; n <= 5; n++) await invite('same@example.com')
    for (let n = 6; n <= 20; n++) await invite(`u${n}@example.com`)
    await db.sql`update invitation set created_at = created_at - interval '23 hours' where email = 'u6@example.com'`
    const wait = async (email: string) => Number((await invite(email)).headers['retry-after'])
    expect(await wait('other@example.com')).toBeLessThanOrEqual(DAY_S - 23 * 3_600)
    expect(await wait('same@example.com')).toBeGreaterThan(DAY_S - 300)
  })

  it('an invitation counts when the account that sent it is deleted, and ends with it', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const mia = await addAccount(db.sql, 'mia@example.com')
    await addMember(db.sql, workspaceId, mia.accountId, 'admin')
    const invite = (n: number, as: string) =>
      app.send(`POST /v1/invitations?workspace=${workspaceId}`, {
        session: as,
        body: { email: `u${n}@example.com`, role: 'member' },
      })
    const sent = []
    for (let n = 1; n <= 20; n++) sent.push(await invite(n, mia.sessionToken))
    const body = { currentPassword: PASSWORD }
    expect((await app.send('DELETE /v1/account', { session: mia.sessionToken, body })).status).toBe(204)
    expect(await invite(21, session)).toMatchObject({ status: 429, code: 'invitation_limit' })
    const { invitations } = (await app.send(`GET /v1/invitations?workspace=${workspaceId}`, { session })).json
    expect(invitations).toEqual([])
    const token = tokenOf((sent[0]!.json.invitation as { link: string }).link)
    const read = await app.send('POST /v1/invitations/read', { body: { token } })
    expect(read).toMatchObject({ status: 400, code: 'invalid_link' })
  })

  it('an invitation is the same for an address with and without an account, and is accepted by its owner', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const ada = await addAccount(db.sql, 'ada@example.com')
    const invite = async (email: string) => {
      const body = { email, role: 'admin' }
      const answer = await app.send(`POST /v1/invitations?workspace=${workspaceId}`, { session, body })
      return answer.json.invitation as unknown as { link: string; invitationId: string }
    }
    const [known, unknown] = [await invite('ada@example.com'), await invite('bob@example.com')]
    expect(Object.keys(known)).toEqual(Object.keys(unknown))
    const token = tokenOf(known.link)
    const accept = (as: string) => app.send('POST /v1/invitations/accept', { session: as, body: { token } })
    expect(await accept(session)).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await accept(ada.sessionToken)).json).toEqual({ workspaceId })
    const again = { token: tokenOf(unknown.link), name: 'Bob', password: PASSWORD }
    expect((await app.send('POST /v1/account', { body: again })).status).toBe(201)
    const gone = await app.send(`DELETE /v1/invitations/${unknown.invitationId}?workspace=${workspaceId}`, { session })
    expect(gone).toMatchObject({ status: 404, code: 'not_found' })
    const { members } = (await app.send(`GET /v1/members?workspace=${workspaceId}`, { session })).json
    expect(members).toMatchObject([{ name: 'Olga' }, { email: 'ada@example.com' }, { email: 'bob@example.com' }])
  })

  it('the last admin stays, and a member may leave', async () => {
    const { sessionToken: session, workspaceId, accountId } = await addOperator(db.sql)
    const ada = await addAccount(db.sql, 'ada@example.com')
    await addMember(db.sql, workspaceId, ada.accountId, 'member')
    const path = (who: string) => `/v1/members/${who}?workspace=${workspaceId}`
    const left = await app.send(`DELETE ${path(accountId)}`, { session })
    expect(left).toMatchObject({ status: 409, code: 'last_admin' })
    const demoted = await app.send(`PATCH ${path(accountId)}`, { session, body: { role: 'member' } })
    expect(demoted).toMatchObject({ status: 409, code: 'last_admin' })
    expect(await app.send(`DELETE ${path(accountId)}`, { session: ada.sessionToken })).toMatchObject({ status: 403 })
    expect((await app.send(`DELETE ${path(ada.accountId)}`, { session: ada.sessionToken })).status).toBe(204)
    const after = await app.send(`GET /v1/members?workspace=${workspaceId}`, { session: ada.sessionToken })
    expect(after).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('a key is shown once, works until it is deleted, and a 21st is api_key_limit', async () => {
    const { sessionToken: session, workspaceId, accountId } = await addOperator(db.sql)
    const keys = `/v1/keys?workspace=${workspaceId}`
    const create = (body: object) => app.send(`POST ${keys}`, { session, body })
    const made = (await create({ name: 'ci', expiresAt: '2099-01-01T00:00:00Z' })).json.key as unknown as {
      key: string
      keyId: string
    }
    expect(made).toMatchObject({ name: 'ci', lastUsedAt: null, expiresAt: '2099-01-01T00:00:00.000Z' })
    const read = () => app.send('GET /v1/providers', { headers: { authorization: `Bearer ${made.key}` } })
    expect((await read()).status).toBe(200)
    const listed = await app.send(`GET ${keys}`, { session })
    expect(listed.text).not.toContain(made.key)
    const { key, ...shown } = made
    expect(listed.json.keys).toEqual([{ ...shown, lastCharacters: key.slice(-4), lastUsedAt: expect.any(String) }])
    const [row] = await db.sql`select created_by from api_key`
    expect(row!.created_by).toBe(accountId)
    const other = `/v1/keys/${made.keyId}?workspace=${workspaceId}`
    expect((await app.send(`DELETE ${other}`, { session })).status).toBe(204)
    expect(await read()).toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(await app.send(`DELETE ${other}`, { session })).toMatchObject({ status: 404, code: 'not_found' })
    for (let n = 1; n <= 20; n++) expect((await create({ name: 'k' })).status).toBe(201)
    expect(await create({ name: 'k' })).toMatchObject({ status: 409, code: 'api_key_limit' })
  })

  it('a key belongs to its workspace: it works on when the member who created it has left and has no account any more', async () => {
    const { sessionToken: olga, workspaceId } = await addOperator(db.sql)
    const mia = await addAccount(db.sql, 'mia@example.com')
    await addMember(db.sql, workspaceId, mia.accountId, 'member')
    const as = { session: mia.sessionToken }
    const made = await app.send(`POST /v1/keys?workspace=${workspaceId}`, { ...as, body: { name: 'ci' } })
    const { key, keyId } = made.json.key as { key: string; keyId: string }
    const read = () => app.send('GET /v1/providers', { headers: { authorization: `Bearer ${key}` } })
    expect((await app.send(`DELETE /v1/members/${mia.accountId}?workspace=${workspaceId}`, as)).status).toBe(204)
    expect((await read()).status).toBe(200)
    expect((await app.send('DELETE /v1/account', { ...as, body: { currentPassword: PASSWORD } })).status).toBe(204)
    expect((await read()).status).toBe(200)
    const { keys } = (await app.send(`GET /v1/keys?workspace=${workspaceId}`, { session: olga })).json
    expect(keys).toMatchObject([{ keyId, name: 'ci' }])
  })

  it('a key’s field that is wrong is named', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const wrong: [object, string][] = [
      [{}, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
      [{ name: 'k', expiresAt: 'soon' }, 'expiresAt'],
      [{ name: 'k', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ name: 'k', key: 'ptk_mine' }, 'key'],
    ]
    for (const [body, field] of wrong)
      expect(await app.send(`POST /v1/keys?workspace=${workspaceId}`, { session, body })).toMatchObject({
        status: 400,
        code: 'invalid_body',
        field,
      })
  })

  it('a member who is removed while a request waits for a lock changes nothing', async () => {
    const { workspaceId, sessionToken: operator } = await addOperator(db.sql)
    const mia = await addAccount(db.sql, 'mia@example.com')
    const hook = { name: 'w', url: 'https://hooks.example.com/', eventTypes: ['price.changed'], providers: ['*'] }
    const made = await app.send(`POST /v1/webhooks?workspace=${workspaceId}`, { session: operator, body: hook })
    const { id } = made.json.webhook as { id: string }
    const { key } = (
      await app.send(`POST /v1/keys?workspace=${workspaceId}`, { session: operator, body: { name: 'k' } })
    ).json as { key: { keyId: string } }
    const requests: [request: string, body?: object, role?: 'admin'][] = [
      [`PATCH /v1/workspaces/${workspaceId}`, { name: 'Mine' }, 'admin'],
      [`DELETE /v1/workspaces/${workspaceId}`, undefined, 'admin'],
      [`POST /v1/keys?workspace=${workspaceId}`, { name: 'mine' }],
      [`PATCH /v1/keys/${key.keyId}?workspace=${workspaceId}`, { networks: ['192.0.2.0/24'] }],
      [`DELETE /v1/keys/${key.keyId}?workspace=${workspaceId}`],
      [`POST /v1/webhooks?workspace=${workspaceId}`, { ...hook, name: 'mine' }],
      [`PATCH /v1/webhooks/${id}`, { ...hook, name: 'mine' }],
      [`POST /v1/webhooks/${id}/pause`],
      [`DELETE /v1/webhooks/${id}`],
    ]
    for (const [request, body, role = 'member'] of requests) {
      await addMember(db.sql, workspaceId, mia.accountId, role)
      const sent = await db.sql.begin(async (tx) => {
        await tx`select from workspace where workspace_id = ${workspaceId} for update`
        await tx`select from webhook where webhook_id = ${id} for update`
        await tx`select from api_key where key_id = ${key.keyId} for update`
        const answer = app.send(request, { session: mia.sessionToken, ...(body && { body }) })
        await someoneWaits(db.sql)
        await tx`delete from workspace_member where account_id = ${mia.accountId}`
        return { answer }
      })
      expect(await sent.answer, request).toMatchObject({ status: 404, code: 'not_found' })
    }
    expect(await db.sql`select name from webhook`).toMatchObject([{ name: 'w' }])
    expect(await db.sql`select name, networks from api_key`).toMatchObject([{ name: 'k', networks: [] }])
    expect(await db.sql`select name from workspace`).toMatchObject([{ name: 'First workspace' }])
    expect(
      await db.sql`select from audit_entry where account_id = ${mia.accountId} and workspace_id is not null`,
    ).toHaveLength(0)
  })
})
