import { beforeEach, describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { newToken } from '../../src/accounts/new-token.ts'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { createResetLink } from '../../src/accounts/users/disable-account.ts'
import { createFirstAccountLink } from '../../src/accounts/users/links/create-first-account-link.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { addAccount, addOperator, PASSWORD } from '../support/accounts.ts'
import { providerApp } from '../support/app/provider-sign-in.ts'
import { testDatabase } from '../support/database.ts'

describe('signing in with an identity provider alone', () => {
  const db = testDatabase({ each: true })
  const app = providerApp(db, { PRICETAPE_OIDC_ONLY: 'true', PRICETAPE_SIGN_UP: 'open' })
  beforeEach(async () => {
    await addOperator(db.sql)
  })

  it('turns passwords, passkeys, codes, sign-up and mailed links off', async () => {
    const { sessionToken: session } = await addAccount(db.sql, 'ada@example.com')
    const body = { email: 'ada@example.com', password: PASSWORD }
    const answers = [
      await app.send('POST /v1/sessions', { body }),
      await app.send('POST /v1/password-reset', { body: { email: body.email } }),
      await app.send('POST /v1/sign-up', { body: { email: 'new@example.com' } }),
      await app.send('POST /v1/sessions/passkey/challenge'),
      await app.send('POST /v1/account/totp', { session, body: { currentPassword: PASSWORD } }),
      await app.send('PUT /v1/account/password', {
        session,
        body: { currentPassword: PASSWORD, password: 'another good password' },
      }),
    ]
    expect((await app.send('GET /v1/account', { session })).status).toBe(200)
    expect(answers.map(({ status, code }) => [status, code])).toEqual(answers.map(() => [403, 'forbidden']))
    expect(answers[0]!.text).toContain('Sign in with Acme login')
    const { json } = await app.send('GET /v1/session')
    expect(json).toMatchObject({
      provider: { name: 'Acme login', only: true },
      passkeyHost: null,
      signUp: 'invitation',
    })
    const token = newToken()
    await saveLink(db.sql, { kind: 'sign_up', email: 'new@example.com', token })
    const created = await app.send('POST /v1/account', { body: { token, name: 'New', password: PASSWORD } })
    expect(created).toMatchObject({ status: 400, code: 'invalid_link' })
  })

  it('says how someone signs in whose account is not linked yet', async () => {
    const { status, code, text } = await app.signIn({ sub: '7', email: 'olga@example.com', email_verified: true })
    expect([status, code]).toEqual([409, 'identity_in_use'])
    expect(text).toContain('npx pricetape account link olga@example.com')
    expect(text).not.toContain('as before')
  })

  it('leaves a link of the operator’s terminal as the last way in', async () => {
    const token = await createResetLink(db.sql, 'olga@example.com')
    const password = 'another good password'
    const reset = await app.send('POST /v1/password-reset/confirm', { body: { token, password } })
    expect(reset.status).toBe(204)
    expect(await findSignedIn(db.sql, reset.session!)).toMatchObject({ email: 'olga@example.com', operator: true })
    expect((await app.link(reset.session!, { sub: '5' })).status).toBe(204)
    const [row] = await db.sql<{ id: string }[]>`select identity_id as id from account_identity`
    const unlink = `DELETE /v1/account/identities/${row!.id}`
    const answer = await app.send(unlink, { session: reset.session, body: { currentPassword: password } })
    expect(answer).toMatchObject({ status: 409, code: 'last_way_in' })
  })
})

describe('the first account', () => {
  const db = testDatabase({ each: true })
  const app = providerApp(db, { PRICETAPE_OIDC_ONLY: 'true', PRICETAPE_OIDC_OPERATOR_GROUPS: 'ops' })

  it('is an operator’s: of an operator group, or of the link that the start shows', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'First workspace' })
    const { keyId } = await createApiKey(db.sql, { workspaceId, name: 'First key' })
    const token = (await createFirstAccountLink(db.sql))!
    expect(await app.signIn({ groups: ['people'] })).toMatchObject({ status: 403, session: undefined })
    const body = { token, name: 'Olga', email: 'olga@example.com', password: PASSWORD }
    const first = await app.signIn({ groups: ['ops'] })
    expect(first).toMatchObject({ status: 201, json: { account: { operator: true } } })
    expect(await db.sql`select workspace_id, role from workspace_member`).toEqual([
      { workspace_id: workspaceId, role: 'admin' },
    ])
    const { accountId } = first.json.account as { accountId: string }
    expect(await db.sql`select key_id, created_by from api_key`).toEqual([{ key_id: keyId, created_by: accountId }])
    const created = await db.sql`select workspace_id from audit_entry where action = 'account_created'`
    expect(created).toEqual([{ workspace_id: workspaceId }])
    expect(await app.send('POST /v1/account', { body })).toMatchObject({ status: 400, code: 'invalid_link' })
    await db.sql`delete from account`
    const fresh = { ...body, token: (await createFirstAccountLink(db.sql))! }
    expect((await app.send('POST /v1/account', { body: fresh })).status).toBe(201)
  })
})

describe('people without a group', () => {
  const db = testDatabase({ each: true })
  const anyone = providerApp(db, { PRICETAPE_OIDC_NEW_ACCOUNTS: 'anyone', PRICETAPE_OIDC_TRUST_EMAIL: 'true' })
  const known = providerApp(db, {
    PRICETAPE_OIDC_NEW_ACCOUNTS: 'none',
    PRICETAPE_OIDC_ROLES: '/people=First workspace:member',
  })

  it('get an account where anyone does, and none where only those get in who have one', async () => {
    await addOperator(db.sql)
    expect((await known.signIn({ groups: ['/people'] })).status).toBe(403)
    expect((await anyone.signIn({ email_verified: undefined })).status).toBe(201)
    expect((await anyone.signIn({ sub: '2', email: 'b@example.com', email_verified: false })).status).toBe(403)
  })
})
