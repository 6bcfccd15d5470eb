import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteExpired } from '../../src/accounts/delete-expired.ts'
import { addPasskey } from '../../src/accounts/passkeys/add-passkey.ts'
import { beginPasskey } from '../../src/accounts/passkeys/begin-passkey.ts'
import { creationOptions, type requestOptions } from '../../src/accounts/passkeys/passkey-rules.ts'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { disableAccount } from '../../src/accounts/users/disable-account.ts'
import { addAccount, addOperator, fiftyAtOnce, PASSWORD, silentMail } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { createAuthenticator } from '../support/app/authenticator.ts'
import { testDatabase } from '../support/database.ts'

type Device = ReturnType<typeof createAuthenticator>
type Creation = ReturnType<typeof creationOptions>
type Request = ReturnType<typeof requestOptions>

const EMAIL = 'ada@example.com'
const PARTY = { id: 'localhost' }

describe('passkeys', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let operator: string
  let session: string
  let accountId: string
  beforeEach(async () => {
    operator = (await addOperator(db.sql)).sessionToken
    const account = await addAccount(db.sql, EMAIL)
    session = account.sessionToken
    accountId = account.accountId
  })

  const begin = async (body: object = {}) =>
    (await app.send('POST /v1/account/passkeys/challenge', { session, body })).json.options as Creation
  const add = (passkey: object, name = 'Laptop') =>
    app.send('POST /v1/account/passkeys', { session, body: { name, passkey } })
  /** What someone else's device is registered with. */
  async function addOfAnother() {
    const { sessionToken } = await addAccount(db.sql, 'other@example.com')
    const begun = await app.send('POST /v1/account/passkeys/challenge', { session: sessionToken, body: {} })
    const passkey = createAuthenticator().make(begun.json.options as Creation)
    await app.send('POST /v1/account/passkeys', { session: sessionToken, body: { name: 'Phone', passkey } })
  }
  const list = async () => (await app.send('GET /v1/account/passkeys', { session })).json

  /** A new device whose passkey the account has. */
  async function device(options?: Parameters<typeof createAuthenticator>[0]) {
    const made = createAuthenticator(options)
    const added = await add(made.make(await begin()))
    expect(added.status).toBe(201)
    return Object.assign(made, { passkeyId: added.json.passkeyId as string })
  }
  /** A browser on the page of the sign-in: its challenge, and its cookie. */
  async function browser(cookie?: string) {
    const { json, session: token } = await app.send('POST /v1/sessions/passkey/challenge', {
      headers: { ...(cookie && { cookie }) },
    })
    return { options: json.options as Request, cookie: `pricetape-passkey=${token}` }
  }
  const answer = (cookie: string, passkey: object) =>
    app.send('POST /v1/sessions/passkey', { headers: { cookie }, body: { passkey } })
  async function signIn(given: Device, wrong: Parameters<Device['use']>[1] = {}) {
    const { options, cookie } = await browser()
    return answer(cookie, given.use(options, wrong))
  }
  const refused = { status: 401, code: 'invalid_credentials', session: undefined }

  it('are added, sign in without password and code, are renamed, and are removed with the password', async () => {
    await addOfAnother()
    expect(await list()).toEqual({ offered: 'yes', host: 'localhost', asksForPassword: false, passkeys: [] })
    const { secret } = (await app.send('POST /v1/account/totp', { session, body: { currentPassword: PASSWORD } }))
      .json as { secret: string }
    const code = new TOTP({ secret }).generate()
    expect((await app.send('POST /v1/account/totp/confirm', { session, body: { code } })).status).toBe(200)
    const synced = createAuthenticator({ counts: false })
    const added = await add(synced.make(await begin(), { synced: true }), ' My phone ')
    expect(added).toMatchObject({ status: 201, json: { name: 'My phone', synced: true, lastUsedAt: null } })
    const { passkeyId } = added.json as { passkeyId: string }
    expect((await begin()).excludeCredentials).toHaveLength(1)

    for (const isSynced of [true, false]) {
      const signedIn = await signIn(synced, { synced: isSynced })
      expect(signedIn).toMatchObject({ status: 201, json: { account: { email: EMAIL } } })
      expect(signedIn.browser).toMatch(/^pricetape-browser=/)
      expect(await findSignedIn(db.sql, signedIn.session!)).toMatchObject({ accountId })
    }
    const path = `/v1/account/passkeys/${passkeyId}`
    const named = await app.send(`PATCH ${path}`, { session, body: { name: 'Old phone' } })
    expect(named.json).toEqual({ name: 'Old phone' })
    expect(await list()).toMatchObject({
      passkeys: [{ passkeyId, name: 'Old phone', synced: false, lastUsedAt: expect.stringMatching(/Z$/) }],
    })
    expect((await app.send(`PATCH ${path}`, { session: operator, body: { name: 'x' } })).status).toBe(404)
    expect((await app.send(`DELETE ${path}`, { session, body: { currentPassword: 'wrong' } })).field).toBe(
      'currentPassword',
    )
    expect((await app.send(`DELETE ${path}`, { session, body: { currentPassword: PASSWORD } })).status).toBe(204)
    expect(await signIn(synced)).toMatchObject(refused)
    const entries = await db.sql`
      select action, detail->>'name' as name, detail->>'passkey' as passkey from audit_entry
      where account_id = ${accountId} and (action like 'passkey%' or detail ? 'passkey') order by entry_id`
    expect(entries.map(({ action, name, passkey }) => [action, name ?? passkey])).toEqual([
      ['passkey_added', ' My phone '],
      ['signed_in', 'My phone'],
      ['signed_in', 'My phone'],
      ['passkey_renamed', 'Old phone'],
      ['passkey_removed', 'Old phone'],
    ])
  })

  it('sign in once for each challenge, in the browser that got it, within five minutes', async () => {
    const given = await device()
    const { options, cookie } = await browser()
    const other = await browser()
    expect(await answer(other.cookie, given.use(options))).toMatchObject(refused)
    expect(await answer('theme=dark', given.use(options))).toMatchObject(refused)
    const used = given.use(options)
    const both = await Promise.all([answer(cookie, used), answer(cookie, used)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
    expect(await answer(cookie, given.use(options))).toMatchObject(refused)
    const pages = [await browser(cookie), await browser(cookie)]
    expect(pages.map((page) => page.cookie)).toEqual([cookie, cookie])
    for (const page of pages) expect((await answer(cookie, given.use(page.options))).status).toBe(201)
    const late = await browser()
    await db.sql`update passkey_challenge set expires_at = expires_at - interval '5 min'`
    expect(await answer(late.cookie, given.use(late.options))).toMatchObject(refused)
    expect(await deleteExpired(db.sql)).toBeGreaterThan(0)
    expect(await db.sql`select from passkey_challenge`).toHaveLength(0)
  })

  it('are refused alike, whatever is wrong: nothing shows whether an account exists', async () => {
    const given = await device()
    const stranger = createAuthenticator()
    stranger.make(
      creationOptions({ party: PARTY, challenge: 'c', account: { accountId, email: EMAIL, name: 'A' }, present: [] }),
    )
    const { options, cookie } = await browser()
    const forged = given.use(options)
    forged.response.signature = stranger.use(options).response.signature
    const answers = [
      await signIn(stranger),
      await answer(cookie, forged),
      await signIn(given, { origin: 'https://evil.example.com' }),
      await signIn(given, { rpId: 'evil.example.com' }),
      await signIn(given, { verified: false }),
      await signIn(given, { userHandle: Buffer.from('someone else').toString('base64url') }),
    ]
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]).toMatchObject(refused)
    await db.sql`delete from sign_in_failure`
    expect((await signIn(given)).status).toBe(201)
    given.counter -= 2
    expect(await signIn(given)).toMatchObject(refused)
    given.counter += 2
    expect((await signIn(given)).status).toBe(201)
  })

  it('wait after wrong tries of their own, not after wrong passwords, and a disabled account is refused', async () => {
    const given = await device()
    for (let n = 0; n < 9; n++)
      await app.send('POST /v1/sessions', {
        address: '192.0.2.7',
        body: { email: EMAIL, password: 'a wrong password' },
      })
    expect((await signIn(given)).status).toBe(201)
    await db.sql`delete from sign_in_failure`
    for (let n = 0; n < 5; n++) expect(await signIn(given, { verified: false })).toMatchObject(refused)
    await db.sql`update sign_in_failure set blocked_until = blocked_until + interval '1 min'`
    expect(await signIn(given)).toMatchObject({ status: 429, code: 'rate_limited', session: undefined })
    await db.sql`update sign_in_failure set blocked_until = now() - interval '1 s'`
    expect((await signIn(given)).status).toBe(201)
    expect(await db.sql`select from sign_in_failure`).toHaveLength(0)
    await disableAccount(db.sql, EMAIL)
    expect(await signIn(given)).toMatchObject({ status: 403, code: 'forbidden', session: undefined })
  })

  it('are added in the session that began, once for each challenge, here, after a recent sign-in or the password', async () => {
    const made = createAuthenticator()
    const options = await begin()
    const passkey = made.make(options)
    const foreign = await app.send('POST /v1/account/passkeys', { session: operator, body: { name: 'x', passkey } })
    expect(foreign).toMatchObject({ status: 400, code: 'invalid_passkey' })
    expect((await add(passkey)).status).toBe(201)
    expect((await add(passkey)).code).toBe('invalid_passkey')
    expect((await add(made.make(await begin()))).code).toBe('invalid_passkey')
    for (const wrong of [{ origin: 'https://evil.example.com' }, { verified: false }, { rpId: 'evil.example.com' }])
      expect((await add(createAuthenticator().make(await begin(), wrong))).code).toBe('invalid_passkey')
    const late = await begin()
    await db.sql`update passkey_challenge set expires_at = expires_at - interval '5 min'`
    expect((await add(createAuthenticator().make(late))).code).toBe('invalid_passkey')
    await db.sql`update session set created_at = created_at - interval '10 min'`
    expect(await list()).toMatchObject({ asksForPassword: true, passkeys: [{ name: 'Laptop' }] })
    const begun = (body: object) => app.send('POST /v1/account/passkeys/challenge', { session, body })
    expect(await begun({})).toMatchObject({ status: 400, field: 'currentPassword' })
    expect(await begun({ currentPassword: 'wrong' })).toMatchObject({ status: 400, field: 'currentPassword' })
    expect((await begun({ currentPassword: PASSWORD })).status).toBe(201)
  })

  it('are twenty at most, also when fifty are added at once; an operator removes them all', async () => {
    const { sessionId } = (await findSignedIn(db.sql, session))!
    const owner = { accountId, sessionId, email: EMAIL }
    const options = await Promise.all(Array.from({ length: 50 }, () => beginPasskey(db.sql, PARTY, owner, undefined)))
    const made = options.map((option) => createAuthenticator().make(option))
    expect(
      await fiftyAtOnce((n) => addPasskey(db.sql, silentMail(), PARTY, owner, { name: `Key ${n}`, passkey: made[n]! })),
    ).toEqual({ ok: 20, passkey_limit: 30 })
    const begun = await app.send('POST /v1/account/passkeys/challenge', { session, body: {} })
    expect(begun).toMatchObject({ status: 409, code: 'passkey_limit' })
    const accounts = await app.send('GET /v1/operator/accounts', { session: operator })
    expect(accounts.json).toMatchObject({ accounts: [{ passkeys: 0 }, { accountId, passkeys: 20 }] })
    const reset = await app.send(`DELETE /v1/operator/accounts/${accountId}/passkeys`, { session: operator })
    expect(reset).toMatchObject({ status: 200, json: { removed: 20 } })
    expect(await list()).toMatchObject({ passkeys: [] })
    const entries = await db.sql`select subject, detail from audit_entry where action = 'passkeys_reset'`
    expect(entries).toMatchObject([{ subject: accountId, detail: { removed: 20 } }])
  })
})

describe('an installation at which passkeys cannot be used', () => {
  const db = testDatabase({ each: true })
  for (const [why, env] of [
    ['turned_off', { PRICETAPE_PASSKEYS: 'false' }],
    ['needs_https', { PRICETAPE_PUBLIC_URL: 'http://prices.example.com' }],
  ] as const)
    describe(`because of ${why}`, () => {
      const app = testApp(db, env)
      it('says why, adds none, and signs no one in with one', async () => {
        const { sessionToken: session } = await addOperator(db.sql)
        const listed = await app.send('GET /v1/account/passkeys', { session })
        expect(listed.json).toEqual({ offered: why, host: null, asksForPassword: false, passkeys: [] })
        expect((await app.send('GET /v1/session')).json).toMatchObject({ passkeyHost: null })
        expect((await app.send('POST /v1/account/passkeys/challenge', { session, body: {} })).code).toBe('forbidden')
        expect((await app.send('POST /v1/sessions/passkey/challenge')).code).toBe('forbidden')
      })
    })
})
