import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, it } from 'vitest'
import { beginTotp, confirmTotp, readTotp } from '../../src/accounts/second-factor/turn-on.ts'
import { signIn } from '../../src/accounts/sessions/sign-in.ts'
import { addAccount, addOperator, device, PASSWORD, silentMail } from '../support/accounts.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'

const EMAIL = 'mia@example.com'

describe('operators’ commands on accounts', () => {
  const db = testDatabase({ each: true })
  const runWith = (env: Record<string, string>, ...args: string[]) =>
    command(
      { DATABASE_URL: db.url, PRICETAPE_DATA_DIR: join(tmpdir(), 'pricetape-nothing-runs-here'), ...env },
      ...args,
    )
  const run = (...args: string[]) => runWith({}, ...args)
  let accountId: string
  beforeEach(async () => {
    await addOperator(db.sql)
    accountId = (await addAccount(db.sql, EMAIL)).accountId
  })
  const operatorsActions = async () => [
    ...(await db.sql`select action, subject from audit_entry where account_id is null order by entry_id`),
  ]

  /** Turns on codes for the account. Returns what makes them. */
  async function turnOnCodes(secretKey: Uint8Array): Promise<TOTP> {
    const { secret } = await beginTotp(db.sql, { secretKey }, { accountId, email: EMAIL }, PASSWORD)
    const codes = new TOTP({ secret })
    await confirmTotp(db.sql, silentMail(), { secretKey }, { accountId, email: EMAIL, code: codes.generate() })
    // As if that was long ago: no code works twice.
    await db.sql`update account_totp set last_period = last_period - 9`
    return codes
  }

  it('list accounts, make a link to a new password, and make operators while one stays', async () => {
    const link = await run('account', 'link', 'mia@example.com')
    const made = await run('account', 'operator', 'mia@example.com')
    const kept = await run('account', 'operator', 'nobody@example.com')
    expect(link).toMatchObject({ code: 0, said: expect.stringContaining('/reset-password#token=') })
    expect(made).toEqual({ code: 0, said: 'mia@example.com is an operator now.\n' })
    expect(kept).toMatchObject({ code: 1, said: expect.stringContaining('There is no account nobody@example.com') })
    expect((await run('account', 'operator', 'olga@example.com', '--revoke')).code).toBe(0)
    expect(await run('account', 'operator', 'mia@example.com', '--revoke')).toMatchObject({
      code: 1,
      said: expect.stringContaining('One operator who can sign in stays'),
    })
    const { accounts } = JSON.parse((await run('account', 'list', '--json')).said)
    expect(accounts).toMatchObject([
      { email: 'olga@example.com', operator: false },
      { email: 'mia@example.com', operator: true, disabledAt: null },
    ])
  })
  it('say which workspace an account has joined, also where none was named', async () => {
    const joined = await run('account', 'join', EMAIL, '--role', 'admin')
    expect(joined).toEqual({ code: 0, said: `${EMAIL} is admin of First workspace now.\n` })
  })
  it('stop asking an account for codes, so that the password alone signs in', async () => {
    const secretKey = randomBytes(32)
    await turnOnCodes(secretKey)
    const attempt = () => signIn(db.sql, { email: EMAIL, password: PASSWORD }, device, { secretKey })
    await expect(attempt()).rejects.toMatchObject({ code: 'code_required' })
    const reset = await run('account', 'reset-codes', 'MIA@example.com')
    expect(reset).toEqual({ code: 0, said: 'MIA@example.com signs in with the password alone now.\n' })
    await attempt()
    expect(await readTotp(db.sql, accountId)).toBeUndefined()
    expect(await operatorsActions()).toEqual([{ action: 'second_factor_reset', subject: accountId }])
    expect((await run('account', 'reset-codes', 'nobody@example.com')).code).toBe(1)
  })

  it('remove the passkeys of one account', async () => {
    for (const owner of [accountId, accountId, (await addAccount(db.sql, 'ada@example.com')).accountId])
      await db.sql`
        insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
        values (${owner}, 'Laptop', ${randomBytes(16).toString('base64url')}, '\\x00', 0, '{}', false, now())`
    const reset = await run('account', 'reset-passkeys', EMAIL)
    expect(reset).toEqual({ code: 0, said: '2 passkeys of mia@example.com removed.\n' })
    expect(await db.sql`select account_id from passkey`).toHaveLength(1)
    expect(await operatorsActions()).toEqual([{ action: 'passkeys_reset', subject: accountId }])
  })

  it('move the secrets of authenticator apps to another key: codes work with it, and with no other', async () => {
    const [before, after] = [randomBytes(32), randomBytes(32)]
    const codes = await turnOnCodes(before)
    const reseal = (old: Uint8Array) => {
      const keys = [after, old].map((key) => Buffer.from(key).toString('base64'))
      return runWith({ PRICETAPE_SECRET_KEY: keys[0]!, PRICETAPE_OLD_SECRET_KEYS: keys[1]! }, 'secrets', 'reseal')
    }
    const attempt = (secretKey: Uint8Array) =>
      signIn(db.sql, { email: EMAIL, password: PASSWORD, code: codes.generate() }, device, { secretKey })
    expect((await reseal(randomBytes(32))).code).toBe(1)
    const done = await reseal(before)
    expect(done.said).toMatch(/^0 webhook secrets, 1 authenticator secret sealed with key /)
    await expect(attempt(before)).rejects.toThrow('PRICETAPE_SECRET_KEY')
    await attempt(after)
  })
})
