import { describe, expect, it } from 'vitest'
import { countTry } from '../../src/accounts/sessions/count-try.ts'
import { rememberBrowser } from '../../src/accounts/sessions/remember-browser.ts'
import { signIn as signInFrom } from '../../src/accounts/sessions/sign-in.ts'
import { requestPasswordReset } from '../../src/accounts/users/links/request-links.ts'
import { resetPassword } from '../../src/accounts/users/links/reset-password.ts'
import { addAccount, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'

const EMAIL = 'ada@example.com'
const STRANGER = '198.51.100.7'

describe('a stranger who fails to sign in does not lock the owner out', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  const signIn = (password: string, { cookie = '', address = STRANGER, email = EMAIL } = {}) =>
    app.send('POST /v1/sessions', { body: { email, password }, headers: { cookie }, address })
  const known = async (email = EMAIL) => (await signIn(PASSWORD, { email, address: '192.0.2.1' })).browser!
  const later = async (interval: string) => {
    await db.sql`
      update sign_in_failure
      set last_at = last_at - ${interval}::interval, blocked_until = blocked_until - ${interval}::interval`
    await db.sql`update rate_bucket set full_at = full_at - ${interval}::interval`
  }
  /** Five wrong passwords. Who must wait now waits for an hour more, however slow the machine is. */
  const failFiveTimes = async (from: { cookie?: string; address?: string } = {}) => {
    for (let n = 0; n < 5; n++) expect((await signIn('wrong password', from)).status).toBe(401)
    await db.sql`update sign_in_failure set blocked_until = blocked_until + interval '1 hour'`
  }
  const confirms = (session: string) =>
    app.send('PUT /v1/account/password', {
      session,
      body: { currentPassword: PASSWORD, password: 'a new long password' },
    })

  it('nine wrong passwords, from the owner’s own network: a known browser signs in at once, and confirms a password', async () => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const cookie = await known()
    await failFiveTimes()
    for (let n = 0; n < 4; n++) expect((await signIn('wrong password')).code).toBe('rate_limited')
    expect((await signIn(PASSWORD)).status).toBe(429)
    expect((await signIn(PASSWORD, { cookie })).status).toBe(201)
    expect((await confirms(sessionToken)).status).toBe(204)
  })

  it('one wrong password every 15 minutes for a day: known and new browsers sign in at once', async () => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const cookie = await known()
    for (let n = 1; n <= 96; n++) {
      // The password is looked at in a few of them: that takes its time.
      if (n % 16 === 0) expect((await signIn('wrong password')).status).toBe(401)
      else await countTry(db.sql, EMAIL, { address: STRANGER, userAgent: '' })
      // Milliseconds are rounded: on a fast machine the next try would come before a wait of 15 minutes is over.
      await later('15 min 1 ms')
    }
    expect((await signIn('wrong password')).status).toBe(401)
    expect((await signIn(PASSWORD, { cookie })).status).toBe(201)
    expect((await signIn(PASSWORD, { address: '192.0.2.9' })).status).toBe(201)
    expect((await confirms(sessionToken)).status).toBe(204)
  })

  it('wrong passwords from many networks: a new browser waits three minutes at most, and a reset link lets it in at once', async () => {
    const { accountId } = await addAccount(db.sql, EMAIL)
    const browser = await rememberBrowser(db.sql, accountId, undefined)
    const from = (address: string, password = 'wrong password', token?: string) =>
      signInFrom(db.sql, { email: EMAIL, password }, { address, userAgent: '', browser: token })
    const tries = Array.from({ length: 30 }, (_, n) => from(`203.0.113.${n}`).catch(({ code }) => code))
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(20)
    const refused = await from('192.0.2.9', PASSWORD).catch((error) => error)
    expect(refused).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(refused.retryAfter).toBeLessThanOrEqual(180)
    await from('192.0.2.9', PASSWORD, browser)
    const mail = silentMail()
    await requestPasswordReset(db.sql, mail, EMAIL)
    const given = { token: tokenOf(mail.shown[0]!), password: 'a new long password' }
    await resetPassword(db.sql, mail, given)
    const fresh = await rememberBrowser(db.sql, accountId, undefined)
    await from('192.0.2.9', given.password, fresh)
  })

  it('the browser that opened a reset link is known: it signs in at once', async () => {
    await addAccount(db.sql, EMAIL)
    await failFiveTimes()
    const mail = silentMail()
    await requestPasswordReset(db.sql, mail, EMAIL)
    const body = { token: tokenOf(mail.shown[0]!), password: 'a new long password' }
    const reset = await app.send('POST /v1/password-reset/confirm', { body })
    expect((await signIn(body.password)).status).toBe(429)
    expect((await signIn(body.password, { cookie: reset.browser! })).status).toBe(201)
  })

  it('a known browser is for its accounts alone, waits after its own wrong passwords, and holds up no other', async () => {
    await addAccount(db.sql, EMAIL)
    await addAccount(db.sql, 'eve@example.com')
    const [cookie, other, eves] = [await known(), await known(), await known('eve@example.com')]
    await failFiveTimes()
    expect((await signIn(PASSWORD, { cookie: eves })).status).toBe(429)
    await failFiveTimes({ cookie })
    expect((await signIn(PASSWORD, { cookie })).status).toBe(429)
    expect((await signIn(PASSWORD, { cookie: other })).status).toBe(201)
    const both = await signIn(PASSWORD, { email: 'eve@example.com', cookie: other })
    expect(both.browser).toBe(other)
    expect((await signIn(PASSWORD, { cookie: both.browser! })).status).toBe(201)
  })

  it.each<[string, (session: string) => Promise<unknown>]>([
    ['another password', confirms],
    ['sign out everywhere', (session) => app.send('DELETE /v1/sessions', { session })],
    [
      'a reset password',
      async () => {
        const mail = silentMail()
        await requestPasswordReset(db.sql, mail, EMAIL)
        await app.send('POST /v1/password-reset/confirm', {
          body: { token: tokenOf(mail.shown[0]!), password: 'a new long password' },
        })
      },
    ],
  ])('no browser stays known after %s, and what is stored of one could not be sent', async (_, end) => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const cookie = await known()
    const [stored] = await db.sql`select k::text as text from known_browser k`
    expect(stored!.text).not.toContain(cookie.split('=')[1])
    await end(sessionToken)
    await failFiveTimes()
    expect((await signIn(PASSWORD, { cookie })).status).toBe(429)
  })

  it('the browser that changed the password is known again', async () => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const { browser } = await confirms(sessionToken)
    await failFiveTimes()
    expect((await signIn('a new long password')).status).toBe(429)
    expect((await signIn('a new long password', { cookie: browser! })).status).toBe(201)
  })
})
