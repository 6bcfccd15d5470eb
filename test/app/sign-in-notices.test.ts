import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { creationOptions } from '../../src/accounts/passkeys/passkey-rules.ts'
import type { AccountMail } from '../../src/accounts/users/mail/account-mail.ts'
import { withNotices } from '../../src/accounts/users/mail/notify-owner.ts'
import type { Api } from '../../src/api/route.ts'
import { createLog } from '../../src/lib/log.ts'
import { connect } from '../../src/lib/sql.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { addAccount, addOperator, PASSWORD, tokenOf } from '../support/accounts.ts'
import { keepBucketsFull, testServer } from '../support/api.ts'
import { SECRET_KEY, send } from '../support/app/app.ts'
import { createAuthenticator } from '../support/app/authenticator.ts'
import { providerBrowser } from '../support/app/provider-sign-in.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { testOutbox } from '../support/outbox.ts'
import { identityProvider } from '../support/servers/identity-provider.ts'
import { startMailServer } from '../support/servers/mail-server.ts'

const WAITING = { timeout: 10_000, interval: 10 }
const URL = 'http://localhost:8080'

describe('after a change of how someone signs in, they are mailed what changed', () => {
  const db = testDatabase()
  let smtp: Awaited<ReturnType<typeof startMailServer>>
  let server: Api
  let settings: Record<string, string>
  let operator: string
  beforeAll(async () => {
    smtp = await startMailServer()
    settings = {
      SMTP_URL: `smtp://127.0.0.1:${smtp.address.port}`,
      PRICETAPE_MAIL_FROM: 'prices@example.com',
      PRICETAPE_PUBLIC_URL: URL,
      PRICETAPE_SECRET_KEY: SECRET_KEY,
    }
    server = await testServer(db.sql, settings)
    keepBucketsFull(server, db.sql)
    operator = (await addOperator(db.sql)).sessionToken
  })
  afterAll(async () => {
    await server.close()
    await smtp.stop()
  })

  const mailsTo = (email: string) => smtp.received.filter(({ to }) => to[0] === email)
  const lastTo = (email: string) => mailsTo(email).at(-1)
  const subject = (email: string) => expect.poll(() => lastTo(email)?.headers.subject, WAITING)
  const secretKey = Buffer.from(SECRET_KEY, 'base64')
  const outbox = () => testOutbox(db.sql, smtp, { secretKey })
  const kept = () => outbox().mails()
  const nextCheck = () => outbox().send()
  /** A mail that has arrived is kept until its sender has noted that. */
  afterEach(() => expect.poll(kept, WAITING).toEqual([]))

  it('of a password, changed and reset', async () => {
    const email = 'ada@example.com'
    const { sessionToken: session } = await addAccount(db.sql, email)
    const body = { currentPassword: PASSWORD, password: 'another long password' }
    expect((await send(server, 'PUT /v1/account/password', { session, body })).status).toBe(204)
    await subject(email).toBe('Your Pricetape password was changed')
    const { text } = lastTo(email)!
    expect(text).toMatch(
      /^The password of your account was changed\. All other sessions have ended\.\n\nThis was on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\. If that was not you, choose a new password at http:\/\/localhost:8080\/forgot-password at once, and ask an operator of the service for help\.$/,
    )
    const now = new Date().toISOString()
    expect(text).toContain(`on ${now.slice(0, 10)} at`)
    const wrong = { currentPassword: 'wrong', password: 'yet another password' }
    expect((await send(server, 'PUT /v1/account/password', { session, body: wrong })).status).not.toBe(204)
    await send(server, 'POST /v1/password-reset', { body: { email } })
    await subject(email).toBe('Choose a new Pricetape password')
    const token = tokenOf(lastTo(email)!.text)
    const reset = { body: { token, password: 'a third long password' } }
    expect((await send(server, 'POST /v1/password-reset/confirm', reset)).status).toBe(204)
    await subject(email).toBe('Your Pricetape password was reset')
    expect(mailsTo(email)).toHaveLength(3)
    await expect.poll(kept, WAITING).toEqual([])
  })

  it('of passkeys, added and removed, and removed by an operator', async () => {
    const email = 'mia@example.com'
    const { sessionToken: session, accountId } = await addAccount(db.sql, email)
    const add = async (name: string) => {
      const { json } = await send(server, 'POST /v1/account/passkeys/challenge', { session, body: {} })
      const passkey = createAuthenticator().make(json.options as ReturnType<typeof creationOptions>)
      return send(server, 'POST /v1/account/passkeys', { session, body: { name, passkey } })
    }
    const { passkeyId } = (await add('Laptop')).json
    await subject(email).toBe('A passkey was added to your Pricetape account')
    expect(lastTo(email)!.text).toContain('The passkey "Laptop" can now sign in to your account.')
    const body = { currentPassword: PASSWORD }
    expect((await send(server, `DELETE /v1/account/passkeys/${passkeyId}`, { session, body })).status).toBe(204)
    await subject(email).toBe('A passkey was removed from your Pricetape account')
    await add('Phone')
    await subject(email).toBe('A passkey was added to your Pricetape account')
    const reset = () => send(server, `DELETE /v1/operator/accounts/${accountId}/passkeys`, { session: operator })
    expect((await reset()).json).toEqual({ removed: 1 })
    await subject(email).toBe('An operator removed the passkeys of your Pricetape account')
    // Nothing changed, so no one is mailed.
    expect((await reset()).json).toEqual({ removed: 0 })
    expect(mailsTo(email)).toHaveLength(4)
  })

  it('of codes of an authenticator app, turned on and off, and off by an operator', async () => {
    const email = 'lin@example.com'
    const { sessionToken: session, accountId } = await addAccount(db.sql, email)
    const totp = (request: string, body: object) => send(server, request, { session, body })
    const turnOn = async () => {
      const { secret } = (await totp('POST /v1/account/totp', { currentPassword: PASSWORD })).json
      const codes = new TOTP({ secret: secret as string })
      expect((await totp('POST /v1/account/totp/confirm', { code: codes.generate() })).status).toBe(200)
      await subject(email).toBe('Your Pricetape account asks for codes now')
      await db.sql`update account_totp set last_period = last_period - 9`
      return codes
    }
    const codes = await turnOn()
    const off = { currentPassword: PASSWORD, code: codes.generate() }
    expect((await totp('DELETE /v1/account/totp', off)).status).toBe(204)
    await subject(email).toBe('Your Pricetape account does not ask for codes any more')
    await turnOn()
    await send(server, `DELETE /v1/operator/accounts/${accountId}/totp`, { session: operator })
    await subject(email).toBe('An operator turned off the codes of your Pricetape account')
    expect(mailsTo(email)).toHaveLength(4)
  })

  it('of an identity provider, linked by its address and under Account', async () => {
    const provider = await identityProvider()
    const node = await testServer(db.sql, { ...settings, ...provider.settings() })
    keepBucketsFull(node, db.sql)
    const browser = providerBrowser(
      () => provider,
      (request, options) => send(node, request, options),
    )
    const person = (email: string) => ({ sub: email, email })
    await addAccount(db.sql, 'ivy@example.com')
    const { sessionToken } = await addAccount(db.sql, 'joy@example.com')
    for (let times = 0; times < 2; times++) expect((await browser.signIn(person('ivy@example.com'))).status).toBe(201)
    for (let times = 0; times < 2; times++)
      expect((await browser.link(sessionToken, person('joy@elsewhere.example'))).status).toBe(204)
    for (const email of ['ivy@example.com', 'joy@example.com']) {
      await subject(email).toBe('An identity provider was linked to your Pricetape account')
      expect(lastTo(email)!.text).toContain('You can now sign in to your account with Acme login.')
      expect(mailsTo(email)).toHaveLength(1)
    }
    expect(mailsTo('joy@elsewhere.example')).toEqual([])
    await node.close()
    await provider.close()
  })

  it('also where the mail server is away: the next check sends it', async () => {
    const email = 'eve@example.com'
    const { sessionToken: session } = await addAccount(db.sql, email)
    smtp.state.refuseRecipient = { code: 451, address: email }
    const refused = smtp.state.refused
    const body = { currentPassword: PASSWORD, password: 'another long password' }
    expect((await send(server, 'PUT /v1/account/password', { session, body })).status).toBe(204)
    await expect.poll(() => smtp.state.refused, WAITING).toBe(refused + 1)
    // Its minute belongs to the process that kept it.
    expect(await kept()).toMatchObject([{ kind: 'password_changed', due: false }])
    smtp.state.refuseRecipient = undefined
    await outbox().later()
    expect(await nextCheck()).toEqual({ sent: 1, problems: [] })
    expect(mailsTo(email)).toHaveLength(1)
    expect(await kept()).toEqual([])
  })

  it('also where the process ends before it could send: the change and its mail are one transaction', async () => {
    const ended = createOutbox({ sql: db.sql, log: createLog('silent'), secretKey })
    const mail: AccountMail = { origin: URL, show: () => {}, outbox: ended }
    const change = (fails: boolean) =>
      withNotices(db.sql, mail, async (_tx, notify) => {
        await notify('kim@example.com', { kind: 'codes_on' })
        if (fails) throw new Error('not changed')
      })
    await expect(change(true)).rejects.toThrow('not changed')
    expect(await kept()).toEqual([])
    await change(false)
    await outbox().later()
    expect(await nextCheck()).toEqual({ sent: 1, problems: [] })
    expect(mailsTo('kim@example.com')).toHaveLength(1)
  })

  it('also after a command of an operator: the next check sends it', async () => {
    const email = 'sam@example.com'
    const { accountId } = await addAccount(db.sql, email)
    await db.sql`
      insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
      values (${accountId}, 'Laptop', 'of-sam', '\\x00', 0, '{}', false, now())`
    const env = { ...settings, DATABASE_URL: db.url }
    expect((await command(env, 'account', 'reset-passkeys', email)).code).toBe(0)
    expect(await kept()).toMatchObject([{ kind: 'passkeys_reset', due: true }])
    expect(await nextCheck()).toEqual({ sent: 1, problems: [] })
    expect(mailsTo(email)).toHaveLength(1)
  })

  it('not where no mail server is set: nothing is kept', async () => {
    const sql = connect(db.url)
    const silent = await testServer(sql, { PRICETAPE_SECRET_KEY: SECRET_KEY })
    const { sessionToken: session } = await addAccount(db.sql, 'zoe@example.com')
    const body = { currentPassword: PASSWORD, password: 'another long password' }
    expect((await send(silent, 'PUT /v1/account/password', { session, body })).status).toBe(204)
    expect(await kept()).toEqual([])
    await silent.close()
    await sql.end()
  })
})
