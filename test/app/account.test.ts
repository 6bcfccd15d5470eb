import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { joinWorkspace } from '../../src/accounts/members/join-workspace.ts'
import { summarizeAccounts } from '../../src/accounts/summarize-accounts.ts'
import { createResetLink, disableAccount } from '../../src/accounts/users/disable-account.ts'
import { createFirstAccountLink } from '../../src/accounts/users/links/create-first-account-link.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { addAccount, addOperator, PASSWORD } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'

const EMAIL = 'olga@example.com'
const NEW = 'another long password'

describe('an account', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  const signIn = (password = PASSWORD) => app.send('POST /v1/sessions', { body: { email: EMAIL, password } })

  it('is created with the first link, signs in and out, and is signed out everywhere', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'First workspace' })
    const token = (await createFirstAccountLink(db.sql))!
    const visited = () => app.send('GET /v1/session')
    expect((await visited()).json).toMatchObject({ session: null, hasAccounts: false })
    const body = { token, name: 'Olga', email: EMAIL, password: PASSWORD }
    const created = await app.send('POST /v1/account', { body })
    expect([created.status, created.json]).toMatchObject([201, { account: { email: EMAIL, operator: true } }])
    const first = created.session!
    expect(created.browser).toMatch(/^pricetape-browser=[\w-]{43}$/)
    expect((await visited()).json).toMatchObject({ session: null, hasAccounts: true })
    expect((await app.send('GET /v1/account', { session: first })).json).toMatchObject({
      account: { name: 'Olga' },
      workspaces: [{ workspaceId, name: 'First workspace', role: 'admin' }],
    })
    const out = await app.send('DELETE /v1/sessions/current', { session: first })
    expect([out.status, out.session]).toEqual([200, ''])
    expect(await app.send('GET /v1/account', { session: first })).toMatchObject({ status: 401, code: 'unauthorized' })
    const [second, third] = [(await signIn()).session!, (await signIn()).session!]
    const { sessions } = (await app.send('GET /v1/sessions', { session: third })).json as unknown as {
      sessions: { current: boolean; sessionId: string }[]
    }
    expect(sessions.map(({ current }) => current)).toEqual([true, false])
    const ended = await app.send(`DELETE /v1/sessions/${sessions[1]!.sessionId}`, { session: third })
    expect(ended.status).toBe(204)
    expect((await app.send('GET /v1/account', { session: second })).status).toBe(401)
    expect(await app.send('DELETE /v1/sessions', { session: third })).toMatchObject({ json: { ended: 1 }, session: '' })
    expect((await app.send('GET /v1/account', { session: third })).status).toBe(401)
  })

  it('is shown to its own browser; a visitor without a session is not a failure', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const shown = await app.send('GET /v1/session', { session })
    expect(shown.json).toMatchObject({ session: { account: { email: EMAIL }, workspaces: [{ workspaceId }] } })
    expect(await app.send('GET /v1/session')).toMatchObject({ status: 200, json: { session: null } })
    const ended = await app.send('GET /v1/session', { session: 'A'.repeat(43) })
    expect(ended).toMatchObject({ status: 200, json: { session: null } })
  })

  it('signs in over a real connection, as curl does it with a cookie jar', async () => {
    await addOperator(db.sql)
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.server.address() as AddressInfo
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
    const url = `http://127.0.0.1:${port}/v1`
    const signedIn = await fetch(`${url}/sessions`, { method: 'POST', headers: json, body })
    expect(signedIn.status).toBe(201)
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const renamed = { method: 'PATCH', headers: { ...json, cookie }, body: JSON.stringify({ name: 'O' }) }
    expect(await (await fetch(`${url}/account`, renamed)).json()).toEqual({ name: 'O' })
    const out = await fetch(`${url}/sessions/current`, { method: 'DELETE', headers: { cookie } })
    expect([out.status, await out.json()]).toEqual([200, { continueAt: null }])
  })

  it('changes its name and its password, with a new session for the one that changes it', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const renamed = await app.send('PATCH /v1/account', { session, body: { name: '  Olga  O. ' } })
    expect(renamed.json).toEqual({ name: 'Olga O.' })
    const body = { currentPassword: PASSWORD, password: NEW }
    const changed = await app.send('PUT /v1/account/password', { session, body })
    expect([changed.status, changed.text]).toEqual([204, ''])
    expect((await app.send('GET /v1/account', { session })).status).toBe(401)
    expect((await app.send('GET /v1/account', { session: changed.session })).status).toBe(200)
    expect((await signIn(NEW)).status).toBe(201)
  })

  it('says which field of a body is wrong', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const account = (password: string, name = 'N') => ({ token: 't', name, password })
    const wrong: [string, unknown, string][] = [
      ['POST /v1/account', account('short passwo'.slice(0, 11)), 'password'],
      ['POST /v1/account', account('x'.repeat(129)), 'password'],
      ['POST /v1/account', account('a'.repeat(12)), 'password'],
      ['POST /v1/account', account(PASSWORD, 'x'.repeat(81)), 'name'],
      ['POST /v1/account', { ...account(PASSWORD), operator: true }, 'operator'],
      ['POST /v1/sessions', { email: 'no address', password: 'x' }, 'email'],
      ['POST /v1/sessions', { email: EMAIL, password: 7 }, 'password'],
      ['POST /v1/sessions', { email: [EMAIL], password: 'x' }, 'email'],
      ['PATCH /v1/account', { name: '' }, 'name'],
      ['PUT /v1/account/password', { currentPassword: PASSWORD, password: 'short' }, 'password'],
      ['PUT /v1/account/password', { currentPassword: PASSWORD, password: EMAIL }, 'password'],
    ]
    for (const [request, body, field] of wrong)
      expect(await app.send(request, { body, session }), request).toMatchObject({
        status: 400,
        code: 'invalid_body',
        field,
      })
  })

  it('is found, joined to a workspace and given a new password by operators, when no one can sign in', async () => {
    const { workspaceId } = await addOperator(db.sql)
    await addAccount(db.sql, 'ada@example.com')
    await disableAccount(db.sql, EMAIL)
    expect(await summarizeAccounts(db.sql)).toEqual({ accounts: 1, disabled: 1, withoutAdmin: ['First workspace'] })
    const asMember = joinWorkspace(db.sql, { email: 'ada@example.com', workspaceId, role: 'member' })
    await expect(asMember).rejects.toMatchObject({ code: 'last_admin' })
    await joinWorkspace(db.sql, { email: 'ada@example.com', workspaceId, role: 'admin' })
    expect(await summarizeAccounts(db.sql)).toMatchObject({ withoutAdmin: [] })
    const token = await createResetLink(db.sql, 'ada@example.com')
    const reset = await app.send('POST /v1/password-reset/confirm', { body: { token, password: NEW } })
    expect(reset.status).toBe(204)
    await expect(createResetLink(db.sql, EMAIL)).rejects.toThrow(/no account olga@example.com that can be used/)
    await expect(disableAccount(db.sql, 'x@example.com')).rejects.toThrow(/no account x@example.com/)
  })
})

describe('the session’s cookie', () => {
  const db = testDatabase({ each: true })
  const plain = testApp(db)
  const secure = testApp(db, { PRICETAPE_PUBLIC_URL: 'https://prices.example.com' })
  const body = { email: EMAIL, password: PASSWORD }
  const cookieOf = (answer: { headers: Record<string, unknown> }) =>
    [answer.headers['set-cookie']].flat().map((cookie) => String(cookie).replace(/=[\w-]{43};/, '=TOKEN;'))

  it('cannot be read by scripts or sent by other sites, and is bound to this host over HTTPS', async () => {
    await addOperator(db.sql)
    expect(cookieOf(await plain.send('POST /v1/sessions', { body }))).toEqual([
      'pricetape=TOKEN; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000',
      'pricetape-browser=TOKEN; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000',
    ])
    expect(cookieOf(await secure.send('POST /v1/sessions', { body }))).toEqual([
      '__Host-pricetape=TOKEN; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure',
      '__Host-pricetape-browser=TOKEN; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000; Secure',
    ])
  })

  it('counts over HTTPS only with the prefix that no other host can set', async () => {
    const { sessionToken } = await addOperator(db.sql)
    const read = (cookie: string) => secure.send('GET /v1/account', { headers: { cookie } })
    expect((await read(`pricetape=${sessionToken}`)).status).toBe(401)
    expect((await read(`x__Host-pricetape=${sessionToken}`)).status).toBe(401)
    expect((await read(`a=b;__Host-pricetape=${sessionToken}`)).status).toBe(200)
  })
})
