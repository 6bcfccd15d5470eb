import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { addAccount, addOperator, PASSWORD } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'

const EMAIL = 'ada@example.com'
const PERIOD_MS = 30_000

describe('codes of an authenticator app', () => {
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
  const totp = (method: string, body: object, path = '') =>
    app.send(`${method} /v1/account/totp${path}`, { session, body })
  const signIn = (code?: string, password = PASSWORD) =>
    app.send('POST /v1/sessions', {
      address: '192.0.2.7',
      body: { email: EMAIL, password, ...(code !== undefined && { code }) },
    })
  const state = async () => (await app.send('GET /v1/account/totp', { session })).json
  const codeOf = (secret: string, periods = 0) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + periods * PERIOD_MS })
  /** As if the code that was used last was used long ago. */
  const later = () => db.sql`update account_totp set last_period = last_period - 9`

  /** Turns codes on with the code of now. Returns the secret and the recovery codes. */
  async function turnOn() {
    const begun = await totp('POST', { currentPassword: PASSWORD })
    const { secret, uri } = begun.json as { secret: string; uri: string }
    const confirmed = await totp('POST', { code: codeOf(secret) }, '/confirm')
    expect(confirmed.status).toBe(200)
    return { secret, uri, recoveryCodes: confirmed.json.recoveryCodes as string[] }
  }

  it('are asked for after the password once one was entered, each works once, and an old one never', async () => {
    expect(await state()).toEqual({ offered: true, on: null })
    expect((await totp('POST', { currentPassword: 'wrong' })).field).toBe('currentPassword')
    const begun = await totp('POST', { currentPassword: PASSWORD })
    const { secret, uri } = begun.json as { secret: string; uri: string }
    expect(uri).toBe(
      `otpauth://totp/Pricetape:ada%40example.com?issuer=Pricetape&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect((await signIn()).status).toBe(201)
    expect((await totp('POST', { code: codeOf(secret, 9) }, '/confirm')).field).toBe('code')
    // Both are too old or used by then, however long the test takes.
    const [before, entered] = [codeOf(secret, -1), codeOf(secret)]
    expect((await totp('POST', { code: entered }, '/confirm')).status).toBe(200)
    expect((await totp('POST', { currentPassword: PASSWORD })).code).toBe('second_factor_on')

    expect(await signIn()).toMatchObject({ status: 401, code: 'code_required', session: undefined })
    expect(await signIn(entered)).toMatchObject({ status: 400, code: 'invalid_code', field: 'code' })
    await later()
    const typed = codeOf(secret).replace(/^.../, '$& ')
    expect((await signIn(typed, 'wrong password')).code).toBe('invalid_credentials')
    const used = await signIn(typed)
    expect(used).toMatchObject({ status: 201, session: expect.stringMatching(/./) })
    for (const old of [typed, before]) expect((await signIn(old)).code).toBe('invalid_code')
    await later()
    const now = codeOf(secret)
    const [first, second] = await Promise.all([signIn(now), signIn(now)])
    expect([first.status, second.status].sort()).toEqual([201, 400])
  })

  it('are guessed as seldom as passwords: the sixth try waits, also with the right code', async () => {
    const { secret } = await turnOn()
    await later()
    const wrong = codeOf(secret, 99)
    for (let n = 0; n < 5; n++) expect((await signIn(wrong)).code).toBe('invalid_code')
    await db.sql`update sign_in_failure set blocked_until = blocked_until + interval '1 min'`
    expect(await signIn(codeOf(secret))).toMatchObject({ status: 429, code: 'rate_limited' })
  })

  it('are stored sealed; each recovery code takes the place of one, once', async () => {
    const { secret, recoveryCodes } = await turnOn()
    expect(recoveryCodes).toHaveLength(10)
    const stored =
      await db.sql`select t::text as text from account_totp t union all select r::text from recovery_code r`
    const texts = stored.map(({ text }) => Buffer.from(text.replace(/^.*\\x/, ''), 'hex').toString('latin1') + text)
    for (const plain of [secret, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(texts.filter((text) => text.includes(plain))).toEqual([])
    const [code] = recoveryCodes
    expect((await signIn(code!.toLowerCase())).status).toBe(201)
    expect((await signIn(code)).code).toBe('invalid_code')
    expect(await state()).toMatchObject({ on: { recoveryCodes: 9 } })
  })

  it('are turned off with the password and a code, or by an operator, and the audit log has it', async () => {
    const { secret, recoveryCodes } = await turnOn()
    const off = (currentPassword: string, code: string) => totp('DELETE', { currentPassword, code })
    expect((await off('wrong', recoveryCodes[0]!)).field).toBe('currentPassword')
    expect((await off(PASSWORD, codeOf(secret, 99))).code).toBe('invalid_code')
    expect((await off(PASSWORD, recoveryCodes[0]!)).status).toBe(204)
    expect((await signIn()).status).toBe(201)
    await turnOn()
    const accounts = await app.send('GET /v1/operator/accounts', { session: operator })
    expect(accounts.json).toMatchObject({ accounts: [{ totp: false }, { accountId, totp: true }] })
    const reset = await app.send(`DELETE /v1/operator/accounts/${accountId}/totp`, { session: operator })
    expect(reset.status).toBe(204)
    expect((await signIn()).status).toBe(201)
    const entries = await db.sql`select action from audit_entry where action like 'second_factor%' order by entry_id`
    expect(entries.map(({ action }) => action)).toEqual([
      'second_factor_on', 'second_factor_off', 'second_factor_on', 'second_factor_reset',
    ]) // biome-ignore format: in one line
  })
})

describe('an installation that offers no codes', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db, { PRICETAPE_TOTP: 'false' })
  const keyless = testApp(db, { PRICETAPE_SECRET_KEY: '' })
  it('is also one that could not seal a secret', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    expect((await keyless.send('GET /v1/account/totp', { session })).json).toEqual({ offered: false, on: null })
  })
  it('turns none on', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    expect((await app.send('GET /v1/account/totp', { session })).json).toEqual({ offered: false, on: null })
    const begun = await app.send('POST /v1/account/totp', { session, body: { currentPassword: PASSWORD } })
    expect(begun.code).toBe('forbidden')
  })
})
