import { beforeEach, describe, expect, it } from 'vitest'
import { deleteExpired } from '../../src/accounts/delete-expired.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { addAccount, addOperator, anotherSession, PASSWORD, silentMail } from '../support/accounts.ts'
import { providerApp } from '../support/app/provider-sign-in.ts'
import { testDatabase } from '../support/database.ts'

const GROUPS = {
  PRICETAPE_OIDC_ROLES: '/admins=First workspace:admin, /people=First workspace:member, /people=Nowhere:member',
  PRICETAPE_OIDC_OPERATOR_GROUPS: '/operators',
}

describe('signing in with an identity provider', () => {
  const db = testDatabase({ each: true })
  const app = providerApp(db, GROUPS)
  let operator: Awaited<ReturnType<typeof addOperator>>
  beforeEach(async () => {
    operator = await addOperator(db.sql)
  })
  const actions = async (email = 'ada@example.com') =>
    (
      await db.sql<{ action: string; detail: object }[]>`
        select action, detail from audit_entry where email = ${email} order by entry_id`
    ).map(({ action, detail }) => [action, detail])
  const roleOf = async (email = 'ada@example.com') =>
    (
      await db.sql<{ role: string }[]>`
        select role from workspace_member m join account a using (account_id)
        where a.email = ${email} and m.workspace_id = ${operator.workspaceId}`
    )[0]?.role
  const isOperator = async (email = 'ada@example.com') =>
    (await db.sql<{ operator: boolean }[]>`select operator from account where email = ${email}`)[0]?.operator

  it('starts a session that ends after 12 hours, however much it is used: then the provider is asked again', async () => {
    const made = await app.signIn({ groups: ['/people'] })
    const { sessions } = (await app.send('GET /v1/sessions', { session: made.session })).json as {
      sessions: { createdAt: string; expiresAt: string }[]
    }
    expect(sessions).toHaveLength(1)
    const [{ createdAt, expiresAt }] = sessions as [(typeof sessions)[number]]
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(12 * 3_600_000)
    await db.sql`update session set expires_at = clock_timestamp() - interval '1 s' where account_id <> ${operator.accountId}`
    expect(await findSignedIn(db.sql, made.session!)).toBeUndefined()
    expect((await app.signIn({ groups: ['/people'] })).status).toBe(201)
  })

  it('makes an account for a member of a group, with the role of the group, and without a password', async () => {
    const made = await app.signIn({ groups: ['/people'] })
    expect(made).toMatchObject({ status: 201, json: { account: { email: 'ada@example.com', name: 'Ada' } } })
    expect(await findSignedIn(db.sql, made.session!)).toMatchObject({ email: 'ada@example.com', operator: false })
    expect(made.browser).toMatch(/^pricetape-browser=/)
    expect(await roleOf()).toBe('member')
    expect(
      await db.sql`select password_hash, email_verified_at is null as open from account where name = 'Ada'`,
    ).toEqual([{ password_hash: null, open: false }])
    const again = await app.signIn({ name: 'Another', email: 'ada@elsewhere.example' })
    expect(again.json).toEqual(made.json)
    expect((await app.send('GET /v1/account/identities', { session: again.session })).json).toEqual({
      provider: { name: 'Acme login', only: false },
      hasPassword: false,
      mayUnlink: false,
      asksForPassword: false,
      identities: [
        {
          identityId: expect.any(String),
          issuer: app.provider.issuer,
          email: 'ada@elsewhere.example',
          createdAt: expect.any(String),
          lastUsedAt: expect.any(String),
        },
      ],
    })
    expect(await actions()).toEqual([
      ['account_created', { operator: false, provider: 'Acme login' }],
      ['role_changed', { by: 'groups', role: 'member' }],
      ['signed_in', { address: expect.any(String), provider: 'Acme login' }],
      ['signed_in', { address: expect.any(String), provider: 'Acme login' }],
    ])
    const guess = { email: 'ada@example.com', password: PASSWORD }
    expect(await app.send('POST /v1/sessions', { body: guess })).toMatchObject({ code: 'invalid_credentials' })
  })

  it('gives no account to people in no group, unless they are invited', async () => {
    expect(await app.signIn({ groups: ['/others'] })).toMatchObject({
      status: 403,
      code: 'forbidden',
      session: undefined,
    })
    const acting = { workspaceId: operator.workspaceId, accountId: operator.accountId }
    await sendInvitation(db.sql, silentMail(), acting, { email: 'Ada@example.com', role: 'member' })
    expect((await app.signIn()).status).toBe(201)
    expect(await roleOf()).toBeUndefined()
  })

  it('needs an address that the provider has confirmed, also as a text', async () => {
    const groups = ['/people']
    for (const [person, text] of [
      [{ email: undefined }, 'does not say your e-mail address'],
      [{ email: 'not an address' }, 'does not say your e-mail address'],
      [{ email_verified: false }, 'has not confirmed that ada@example.com is your'],
      [{ email_verified: undefined }, 'has not confirmed'],
      [{ email_verified: 'no' }, 'has not confirmed'],
    ] as const) {
      app.provider.person = { sub: '1', email: 'ada@example.com', email_verified: true, groups }
      const answer = await app.signIn(person)
      expect(answer).toMatchObject({ status: 403, code: 'forbidden', session: undefined })
      expect(answer.text).toContain(text)
    }
    app.provider.person = { sub: '1', email: 'ada@example.com', email_verified: 'true', groups }
    expect((await app.signIn()).status).toBe(201)
  })

  it('takes what the token leaves out from the page about the user, if that is about the same person', async () => {
    app.provider.person = { sub: '1', email: 'ada@example.com', email_verified: true }
    app.provider.lies = { userinfo: { groups: ['/admins'], sub: '2' } }
    expect(await app.signIn()).toMatchObject({ status: 401, code: 'identity_refused', session: undefined })
    app.provider.lies = { userinfo: { groups: ['/admins'], email: 'eve@example.com', name: 'Eve' } }
    // What the signed token says comes first.
    expect((await app.signIn()).json).toMatchObject({ account: { email: 'ada@example.com' } })
    expect(await roleOf()).toBe('admin')
  })

  it('follows the groups at each sign-in: up, down and out; a session keeps no right', async () => {
    const { session } = await app.signIn({ groups: ['/people', '/admins', '/operators'] })
    expect([await roleOf(), await isOperator()]).toEqual(['admin', true])
    const audit = () => app.send(`GET /v1/audit?workspace=${operator.workspaceId}`, { session })
    expect((await audit()).status).toBe(200)
    await app.signIn({ groups: ['/people'] })
    expect([await roleOf(), await isOperator()]).toEqual(['member', false])
    expect((await audit()).status).toBe(403)
    await app.signIn({ groups: '/admins' })
    expect(await roleOf()).toBe('admin')
    await app.signIn({ groups: [] })
    expect(await roleOf()).toBeUndefined()
    expect((await audit()).status).toBe(404)
    const changes = (await actions()).filter(([action]) => action !== 'signed_in').slice(1)
    expect(changes).toEqual([
      // The account was made an operator's.
      ['role_changed', { by: 'groups', role: 'admin' }],
      ['operator_removed', { by: 'groups' }],
      ['role_changed', { by: 'groups', role: 'member' }],
      ['role_changed', { by: 'groups', role: 'admin' }],
      ['member_removed', { by: 'groups' }],
    ])
  })

  it('leaves the last admin and the last operator their rights, and says so in the audit log', async () => {
    await app.signIn({ groups: ['/admins', '/operators'] })
    await db.sql`update account set disabled_at = now() where account_id = ${operator.accountId}`
    for (const groups of [['/people'], []]) {
      expect((await app.signIn({ groups })).status).toBe(201)
      expect([await roleOf(), await isOperator()]).toEqual(['admin', true])
    }
    const kept = (await actions()).filter(([action]) => action === 'rights_kept')
    expect(kept).toEqual([
      ['rights_kept', { by: 'groups' }],
      ['rights_kept', { by: 'groups', role: 'admin' }],
      ['rights_kept', { by: 'groups' }],
      ['rights_kept', { by: 'groups', role: 'admin' }],
    ])
    await db.sql`update account set disabled_at = null where account_id = ${operator.accountId}`
    await app.signIn({ groups: [] })
    expect([await roleOf(), await isOperator()]).toEqual([undefined, false])
  })

  it('keeps a disabled account out, and one whose owner is disabled at the address', async () => {
    await app.signIn({ groups: ['/people'] })
    await db.sql`update account set disabled_at = now() where email = 'ada@example.com'`
    expect(await app.signIn()).toMatchObject({ status: 403, code: 'forbidden', session: undefined })
    const { accountId } = await addAccount(db.sql, 'bea@example.com')
    await db.sql`update account set disabled_at = now() where account_id = ${accountId}`
    const bea = { sub: '2', email: 'bea@example.com' }
    expect(await app.signIn(bea)).toMatchObject({ status: 403, code: 'forbidden', session: undefined })
  })

  it('links an account of the same confirmed address at the first sign-in, once, and mails its owner', async () => {
    const { accountId } = await addAccount(db.sql, 'ada@example.com')
    const linked = await app.signIn({ email: 'ADA@example.com' })
    expect(linked).toMatchObject({ status: 201, json: { account: { accountId } } })
    expect((await actions()).slice(-2)).toMatchObject([
      ['identity_linked', { provider: 'Acme login' }],
      ['signed_in', { provider: 'Acme login' }],
    ])
    const other = await app.signIn({ sub: '2' })
    expect(other).toMatchObject({ status: 409, code: 'identity_in_use', session: undefined })
    expect(other.text).toContain('link Acme login under Account')
  })

  for (const [what, change] of [
    ['has not confirmed its address', 'update account set email_verified_at = null'],
    ['is an operator’s', 'update account set operator = true'],
    [
      'asks for codes',
      "insert into account_totp (account_id, sealed, created_at, confirmed_at) select account_id, '\\x00', now(), now() from account",
    ],
    [
      'has a passkey',
      `insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
       select account_id, 'p', 'c', '\\x00', 0, '{}', false, now() from account`,
    ],
  ] as const)
    it(`links no account that ${what}: its owner does that under Account`, async () => {
      await addAccount(db.sql, 'ada@example.com')
      await db.sql.unsafe(`${change} where email = 'ada@example.com'`)
      expect(await app.signIn({ groups: ['/people'] })).toMatchObject({
        status: 409,
        code: 'identity_in_use',
        session: undefined,
      })
      expect(await db.sql`select from account_identity`).toHaveLength(0)
      const session = await anotherSession(db.sql, 'ada@example.com').catch(() => undefined)
      if (session === undefined) return
      expect(await app.link(session)).toMatchObject({ status: 204 })
      expect((await app.signIn()).status).toBe(201)
    })

  it('links under Account one identity of a provider, which is no one else’s, and unlinks it with the password', async () => {
    const ada = await addAccount(db.sql, 'ada@example.com')
    const bea = await addAccount(db.sql, 'bea@example.com')
    const someone = { sub: '9', email: 'someone@example.com', email_verified: false }
    expect((await app.link(ada.sessionToken, someone)).status).toBe(204)
    expect((await app.link(ada.sessionToken, someone)).status).toBe(204)
    expect(await app.link(bea.sessionToken, someone)).toMatchObject({ status: 409, code: 'identity_in_use' })
    expect(await app.link(ada.sessionToken, { sub: '8' })).toMatchObject({ status: 409, code: 'identity_in_use' })
    expect((await app.signIn(someone)).json).toMatchObject({ account: { accountId: ada.accountId } })
    const { identities } = (await app.send('GET /v1/account/identities', { session: ada.sessionToken })).json as {
      identities: { identityId: string }[]
    }
    const path = `DELETE /v1/account/identities/${identities[0]!.identityId}`
    const unlink = (session: string, currentPassword = PASSWORD) =>
      app.send(path, { session, body: { currentPassword } })
    expect((await unlink(bea.sessionToken)).status).toBe(404)
    expect((await unlink(ada.sessionToken, 'wrong')).field).toBe('currentPassword')
    expect((await unlink(ada.sessionToken)).status).toBe(204)
    expect((await unlink(ada.sessionToken)).status).toBe(404)
    expect(await app.signIn(someone)).toMatchObject({ status: 403, session: undefined })
    const entries = (await actions()).map(([action]) => action).filter((action) => `${action}`.startsWith('identity'))
    expect(entries).toEqual(['identity_linked', 'identity_unlinked'])
  })

  it('links only for someone who signed in recently, or gives the password', async () => {
    const { sessionToken: session } = await addAccount(db.sql, 'ada@example.com')
    await db.sql`update session set created_at = created_at - interval '11 min'`
    const begin = (body: object) => app.send('POST /v1/account/identities/begin', { session, body })
    expect(await begin({})).toMatchObject({ status: 400, field: 'currentPassword' })
    expect((await begin({ currentPassword: 'wrong' })).field).toBe('currentPassword')
    expect((await begin({ currentPassword: PASSWORD })).status).toBe(201)
  })

  it('unlinks no account that could not be signed in to any more; operators do', async () => {
    const { session } = await app.signIn({ groups: ['/people'] })
    const [row] = await db.sql<{ id: string; accountId: string }[]>`
      select identity_id as id, account_id as "accountId" from account_identity`
    const body = { currentPassword: '' }
    const path = `DELETE /v1/account/identities/${row!.id}`
    expect(await app.send(path, { session, body })).toMatchObject({ status: 409, code: 'last_way_in' })
    await db.sql`update session set created_at = created_at - interval '11 min'`
    expect(await app.send(path, { session, body })).toMatchObject({ status: 403, code: 'forbidden' })
    const reset = `DELETE /v1/operator/accounts/${row!.accountId}/identities`
    const byOperator = () => app.send(reset, { session: operator.sessionToken })
    expect([(await byOperator()).json, (await byOperator()).json]).toEqual([{ removed: 1 }, { removed: 0 }])
    expect((await app.signIn()).code).toBeUndefined()
  })

  it('lets someone without a password change their account for ten minutes after the sign-in', async () => {
    const { session } = await app.signIn({ groups: ['/people'] })
    await db.sql`update session set created_at = created_at - interval '11 min'`
    const remove = (given: string | undefined) =>
      app.send('DELETE /v1/account', { session: given, body: { currentPassword: 'anything' } })
    expect(await remove(session)).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await app.send('POST /v1/account/passkeys/challenge', { session, body: {} })).status).toBe(403)
    const recent = (await app.signIn()).session
    expect((await app.send('POST /v1/account/passkeys/challenge', { session: recent, body: {} })).status).toBe(201)
    expect((await remove(recent)).status).toBe(204)
    expect(await db.sql`select from account_identity`).toHaveLength(0)
  })

  it('finishes each sign-in once, within 15 minutes, and only in the browser and session that began it', async () => {
    const groups = ['/people']
    const first = await app.visit({ groups })
    const second = await app.visit({ groups }, { cookie: first.cookie })
    expect(second.cookie).toBe(first.cookie)
    const third = await app.visit({ groups })
    const refused = { status: 401, code: 'identity_refused', session: undefined }
    expect(await app.finish({ ...first, cookie: third.cookie })).toMatchObject(refused)
    expect(await app.finish({ ...first, cookie: 'theme=dark' })).toMatchObject(refused)
    const both = await Promise.all([app.finish(first), app.finish(first)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
    expect(await app.finish(first)).toMatchObject(refused)
    expect((await app.finish(second)).status).toBe(201)
    // A link that was begun is not finished as a sign-in, nor in another session.
    const ada = await addAccount(db.sql, 'eva@example.com')
    const eve = await addAccount(db.sql, 'eve@example.com')
    const linking = await app.visit({ sub: '7' }, { session: ada.sessionToken })
    expect(await app.finish(linking)).toMatchObject(refused)
    const headers = { cookie: `pricetape=${eve.sessionToken}; ${linking.cookie}` }
    const body = { answer: linking.answer }
    expect(await app.send('POST /v1/account/identities', { headers, body })).toMatchObject({ code: 'identity_refused' })
    const late = await app.visit({ groups })
    await db.sql`update identity_handshake set expires_at = expires_at - interval '15 min'`
    expect(await app.finish(late)).toMatchObject(refused)
    await app.visit({ groups })
    await db.sql`update identity_handshake set expires_at = expires_at - interval '15 min'`
    expect(await deleteExpired(db.sql)).toBeGreaterThan(0)
    expect(await db.sql`select from identity_handshake`).toHaveLength(0)
  })

  it('makes one account when someone comes for the first time in many browsers at once', async () => {
    const visits = []
    for (let n = 0; n < 10; n++) visits.push(await app.visit({ groups: ['/people'] }))
    const answers = await Promise.all(visits.map((visited) => app.finish(visited)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await db.sql`select from account_identity`).toHaveLength(1)
    expect(await db.sql`select from account where email = 'ada@example.com'`).toHaveLength(1)
  })

  it('signs out here at once, and then at the provider', async () => {
    const { session } = await app.signIn({ groups: ['/people'] })
    const out = await app.send('DELETE /v1/sessions/current', { session })
    expect(out.status).toBe(200)
    const to = new URL(out.json.continueAt as string)
    expect(to.origin + to.pathname).toBe(`${app.provider.issuer}/logout`)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: 'pricetape',
      post_logout_redirect_uri: 'http://localhost:8080/sign-in',
    })
    expect(await findSignedIn(db.sql, session!)).toBeUndefined()
    const byPassword = await app.send('DELETE /v1/sessions/current', { session: operator.sessionToken })
    expect(byPassword.json).toEqual({ continueAt: null })
  })
})
