import { describe, expect, it } from 'vitest'
import { deleteExpired } from '../../src/accounts/delete-expired.ts'
import { newToken } from '../../src/accounts/new-token.ts'
import { endAllSessions, endSession, listSessions } from '../../src/accounts/sessions/end-sessions.ts'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { insertSession } from '../../src/accounts/sessions/session-store.ts'
import { signIn } from '../../src/accounts/sessions/sign-in.ts'
import { changePassword } from '../../src/accounts/users/change-account.ts'
import { requestEmailChange } from '../../src/accounts/users/change-email.ts'
import { createAccount } from '../../src/accounts/users/create-account.ts'
import { createResetLink, disableAccount } from '../../src/accounts/users/disable-account.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import { requestPasswordReset, requestSignUp } from '../../src/accounts/users/links/request-links.ts'
import { resetPassword } from '../../src/accounts/users/links/reset-password.ts'
import { addAccount, anotherSession, device, fiftyAtOnce, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'

const EMAIL = 'ada@example.com'
const NEW = 'another long password'

describe('signing in', () => {
  const db = testDatabase({ each: true })
  const attempt = (password: string, email = EMAIL) => signIn(db.sql, { email, password }, device)
  const later = (interval: string) => db.sql`
    update sign_in_failure set blocked_until = blocked_until - ${interval}::interval, last_at = last_at - ${interval}::interval`

  it('takes the address in any case, and stores of the session nothing that could be used', async () => {
    await addAccount(db.sql, EMAIL)
    const { account, sessionToken } = await attempt(PASSWORD, 'ADA@Example.COM')
    expect(await findSignedIn(db.sql, sessionToken)).toMatchObject({ accountId: account.accountId, email: EMAIL })
    const rows = await db.sql`select s::text as text from session s`
    expect(rows.some(({ text }) => text.includes(sessionToken))).toBe(false)
    const [stored] = await db.sql`select a::text as text from account a`
    expect(stored!.text).not.toContain(PASSWORD)
  })

  it('answers an unknown address like a wrong password', async () => {
    await addAccount(db.sql, EMAIL)
    const failures = await Promise.allSettled([attempt('wrong password'), attempt(PASSWORD, 'bob@example.com')])
    const texts = failures.map((failure) => String((failure as PromiseRejectedResult).reason))
    expect(texts[0]).toBe(texts[1])
    expect(failures[0]).toMatchObject({ reason: { code: 'invalid_credentials', status: 401 } })
  })

  it('lets five wrong passwords pass, then each further try waits longer', async () => {
    await addAccount(db.sql, EMAIL)
    for (let n = 1; n <= 5; n++) await expect(attempt('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
    for (const seconds of [1, 2, 4]) {
      const [wait] =
        await db.sql`select extract(epoch from blocked_until - last_at)::int as seconds from sign_in_failure`
      expect(wait).toEqual({ seconds })
      // A slow machine must not reach the end of the wait before the next try.
      await later('-1 h')
      const failure = await attempt(PASSWORD).catch((error) => error)
      expect(failure).toMatchObject({ code: 'rate_limited', status: 429 })
      expect(failure.retryAfter).toBeGreaterThan(3_000)
      await later(`${3_600 + seconds} s`)
      await expect(attempt('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
    await db.sql`update sign_in_failure set failures = 500, blocked_until = now() - interval '1 s'`
    await expect(attempt('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
    const [longest] =
      await db.sql`select extract(epoch from blocked_until - last_at)::int as seconds from sign_in_failure`
    expect(longest).toEqual({ seconds: 900 })
    await later('15 min')
    await attempt(PASSWORD)
    await expect(attempt('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await db.sql`select failures from sign_in_failure`).toMatchObject([{ failures: 1 }])
  })

  it('forgets wrong passwords a day after the last one', async () => {
    await addAccount(db.sql, EMAIL)
    for (const [interval, failures] of [
      ['23 h 59 min', 8],
      ['24 h 1 min', 1],
    ] as const) {
      await db.sql`delete from sign_in_failure`
      for (let n = 1; n <= 7; n++) {
        await expect(attempt('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
        await later('10 s')
      }
      await later(interval)
      await expect(attempt('wrong')).rejects.toMatchObject({ code: 'invalid_credentials' })
      expect(await db.sql`select failures, blocked_until > last_at as waits from sign_in_failure`).toEqual([
        { failures, waits: failures > 1 },
      ])
    }
  })

  it('looks at five of 50 passwords tried at once', async () => {
    await addAccount(db.sql, EMAIL)
    for (const email of [EMAIL, 'no@example.com']) {
      const begun = performance.now()
      const counts = await fiftyAtOnce(() => attempt('wrong', email))
      // One more is looked at where 50 take longer than the wait of a second, another after the two seconds that follow.
      const more = Math.floor(Math.log2((performance.now() - begun) / 1_000 + 1))
      const looked = counts.invalid_credentials ?? 0
      expect(looked).toBeGreaterThanOrEqual(5)
      expect(looked).toBeLessThanOrEqual(5 + more)
      expect(counts).toEqual({ invalid_credentials: looked, rate_limited: 50 - looked })
    }
  })

  it('is refused to a disabled account, whose sessions end at once', async () => {
    const { accountId, sessionToken } = await addAccount(db.sql, EMAIL)
    await disableAccount(db.sql, EMAIL)
    expect(await findSignedIn(db.sql, sessionToken)).toBeUndefined()
    await expect(attempt(PASSWORD)).rejects.toMatchObject({ code: 'forbidden' })
    // A sign-in that looked before the account was disabled, and was recorded after it.
    const late = newToken()
    await db.sql.begin((tx) => insertSession(tx, { accountId, token: late, ...device }))
    expect(await findSignedIn(db.sql, late)).toBeUndefined()
    await disableAccount(db.sql, EMAIL, false)
    expect(await findSignedIn(db.sql, late)).toBeDefined()
    await attempt(PASSWORD)
  })
})

describe('sessions', () => {
  const db = testDatabase({ each: true })

  it('are listed newest first and ended one by one, or all at once', async () => {
    const { accountId, sessionToken: first } = await addAccount(db.sql, EMAIL)
    const other = await addAccount(db.sql, 'bob@example.com')
    const second = await anotherSession(db.sql, EMAIL)
    const sessions = await listSessions(db.sql, accountId)
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({ address: '127.0.0.1', userAgent: 'test' })
    const [foreign] = await listSessions(db.sql, other.accountId)
    await expect(endSession(db.sql, { accountId, sessionId: foreign!.sessionId })).rejects.toMatchObject({
      code: 'not_found',
    })
    await endSession(db.sql, { accountId, sessionId: sessions[0]!.sessionId })
    expect(await findSignedIn(db.sql, second)).toBeUndefined()
    expect(await findSignedIn(db.sql, first)).toMatchObject({ accountId })
    expect(await endAllSessions(db.sql, accountId)).toBe(1)
    expect(await findSignedIn(db.sql, first)).toBeUndefined()
    expect(await findSignedIn(db.sql, other.sessionToken)).toMatchObject({ accountId: other.accountId })
  })

  it('end after 14 days without use and after 90 days in any case, and are deleted then', async () => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const age = (column: string, days: number) =>
      db.sql`update session set ${db.sql(column)} = clock_timestamp() - ${days} * interval '1 day' + interval '1 minute'`
    await age('last_seen_at', 14)
    expect(await findSignedIn(db.sql, sessionToken)).toBeDefined()
    // Milliseconds are kept, and rounded: without the truncation the instant may be half a millisecond ahead.
    await db.sql`update session set last_seen_at = date_trunc('milliseconds', clock_timestamp()) - interval '14 days'`
    expect(await findSignedIn(db.sql, sessionToken)).toBeUndefined()
    const [row] = await db.sql`select expires_at - created_at = interval '90 days' as ok from session`
    expect(row!.ok).toBe(true)
    await db.sql`update session set last_seen_at = clock_timestamp(), expires_at = date_trunc('milliseconds', clock_timestamp())`
    expect(await findSignedIn(db.sql, sessionToken)).toBeUndefined()
    expect(await deleteExpired(db.sql)).toBe(1)
  })

  it('are noted as used once a minute', async () => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const isNoted = async (ago: string) => {
      const [before] = await db.sql<{ at: string }[]>`
        update session set last_seen_at = clock_timestamp() - ${ago}::interval returning last_seen_at::text as at`
      await findSignedIn(db.sql, sessionToken)
      const [after] = await db.sql<{ at: string }[]>`select last_seen_at::text as at from session`
      return after!.at !== before!.at
    }
    expect([await isNoted('30 s'), await isNoted('61 s')]).toEqual([false, true])
  })

  it('end when the password changes, but for the one that changes it, which gets another token', async () => {
    const owner = await addAccount(db.sql, EMAIL)
    const other = await anotherSession(db.sql, EMAIL)
    const change = (currentPassword: string, password: string) =>
      changePassword(db.sql, silentMail(), owner, { currentPassword, password }, device)
    await expect(change('wrong', NEW)).rejects.toMatchObject({ code: 'invalid_body', field: 'currentPassword' })
    const fresh = await change(PASSWORD, NEW)
    for (const ended of [owner.sessionToken, other]) expect(await findSignedIn(db.sql, ended)).toBeUndefined()
    expect(await findSignedIn(db.sql, fresh)).toMatchObject({ email: EMAIL })
    await signIn(db.sql, { email: EMAIL, password: NEW }, device)
  })
})

describe('links by mail', () => {
  const db = testDatabase({ each: true })
  const mail = silentMail()
  const aMinuteLater = () => db.sql`update account_link set created_at = created_at - interval '1 minute'`

  it('to one address are five, then one in a quarter of an hour; the last one stays valid', async () => {
    await addAccount(db.sql, EMAIL)
    for (let n = 0; n < 60; n++) {
      await requestPasswordReset(db.sql, mail, EMAIL)
      await aMinuteLater()
    }
    expect(mail.shown).toHaveLength(5)
    await db.sql`update rate_bucket set full_at = full_at - interval '15 minutes'`
    await requestPasswordReset(db.sql, mail, EMAIL)
    expect(mail.shown).toHaveLength(6)
    await aMinuteLater()
    await requestPasswordReset(db.sql, mail, EMAIL)
    await resetPassword(db.sql, silentMail(), { token: tokenOf(mail.shown[5]!), password: NEW })
  })

  it('to other people are five that one account asks for in a day, and 20 that one network address signs up', async () => {
    const owner = await addAccount(db.sql, EMAIL)
    const change = (n: number) =>
      requestEmailChange(db.sql, silentMail(), owner, { email: `v${n}@example.com`, currentPassword: PASSWORD })
    for (let n = 0; n < 5; n++) await change(n)
    await endAllSessions(db.sql, owner.accountId)
    await expect(change(5)).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
    const signUp = (n: number) =>
      requestSignUp(db.sql, silentMail(), { email: `w${n}@example.com`, signUp: 'open', address: '192.0.2.1' })
    expect(await fiftyAtOnce(signUp)).toEqual({ ok: 20, rate_limited: 30 })
  })
})

describe('a password reset', () => {
  const db = testDatabase({ each: true })

  it('works once, and ends every session', async () => {
    const { sessionToken } = await addAccount(db.sql, EMAIL)
    const mail = silentMail()
    await requestPasswordReset(db.sql, mail, 'Ada@example.com')
    const token = tokenOf(mail.shown[0]!)
    const reset = () => resetPassword(db.sql, silentMail(), { token, password: NEW })
    expect(await fiftyAtOnce(reset)).toEqual({ ok: 1, invalid_link: 49 })
    expect(await findSignedIn(db.sql, sessionToken)).toBeUndefined()
    await signIn(db.sql, { email: EMAIL, password: NEW }, device)
  })

  it('is not offered to an unknown address, and to a known one once a minute', async () => {
    await addAccount(db.sql, EMAIL)
    const mail = silentMail()
    await requestPasswordReset(db.sql, mail, 'nobody@example.com')
    for (let n = 1; n <= 3; n++) await requestPasswordReset(db.sql, mail, EMAIL)
    expect(mail.shown).toHaveLength(1)
    await db.sql`update account_link set created_at = created_at - interval '1 minute'`
    await requestPasswordReset(db.sql, mail, EMAIL)
    const [old, fresh] = mail.shown.map(tokenOf)
    const reset = (token: string) => resetPassword(db.sql, silentMail(), { token, password: NEW })
    await expect(reset(old!)).rejects.toMatchObject({ code: 'invalid_link' })
    await db.sql`update account_link set expires_at = created_at + interval '1 hour' - interval '1 hour'`
    await expect(reset(fresh!)).rejects.toMatchObject({ code: 'invalid_link' })
  })

  it('ends the waiting of an owner who entered wrong passwords', async () => {
    const owner = await addAccount(db.sql, EMAIL)
    const change = (currentPassword: string) =>
      changePassword(db.sql, silentMail(), owner, { currentPassword, password: 'a third long password' }, device)
    for (let n = 1; n <= 5; n++) await expect(change('wrong')).rejects.toMatchObject({ field: 'currentPassword' })
    await db.sql`update sign_in_failure set blocked_until = blocked_until + interval '1 hour'`
    await expect(change(PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' })
    const token = await createResetLink(db.sql, EMAIL)
    await resetPassword(db.sql, silentMail(), { token, password: NEW })
    await change(NEW)
  })

  it('refuses the address itself, as the form of a new account does, and keeps the link', async () => {
    const email = 'ada.lovelace@example.com'
    const refused = { code: 'invalid_body', field: 'password' }
    await saveLink(db.sql, { kind: 'sign_up', email, token: 'sign up' })
    const create = (password: string) =>
      createAccount(db.sql, { token: 'sign up', name: 'Ada', password }, device, { mailWorks: true })
    await expect(create(email)).rejects.toMatchObject(refused)
    await create(PASSWORD)
    const token = await createResetLink(db.sql, email)
    const reset = (password: string) => resetPassword(db.sql, silentMail(), { token, password })
    await expect(reset('Ada.Lovelace@example.com')).rejects.toMatchObject(refused)
    await reset(NEW)
  })
})
