import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { checkCode, type Keys } from '../second-factor/check-code.ts'
import type { Account } from '../users/account-schema.ts'
import { accountOfEmail, lockPassword } from '../users/account-store.ts'
import { isPassword } from '../users/password.ts'
import { accountDisabled } from '../users/require-account.ts'
import { countTry, forgetTries } from './count-try.ts'
import { type Device, startSession } from './start-session.ts'

/**
 * Signs an account in. An unknown address and a wrong password get the same answer in the same time. After five wrong
 * passwords or codes in a row each further try has to wait, longer every time; strangers do not make a known browser wait.
 * @param keys opens the secret of an authenticator app, where the account has one
 * @throws AppError invalid_credentials, rate_limited, forbidden (the account is disabled), code_required, invalid_code
 */
export async function signIn(
  sql: Sql,
  { email, password, code }: { email: string; password: string; code?: string },
  device: Device,
  keys: Keys = NO_KEYS,
): Promise<{ account: Account; sessionToken: string }> {
  const counter = await countTry(sql, email, device)
  const found = await accountOfEmail(sql, email)
  if (!(await isPassword(found?.passwordHash, password)) || !found) {
    throw wrong()
  }
  const { passwordHash, ...account } = found
  if (account.disabledAt) throw accountDisabled()
  return sql.begin(async (tx) => {
    if (!(await lockPassword(tx, account.accountId, passwordHash))) throw wrong()
    await checkCode(tx, keys, account.accountId, code)
    await forgetTries(tx, counter)
    return { account, sessionToken: await startSession(tx, account.accountId, device) }
  })
}

const NO_KEYS: Keys = {
  get secretKey(): never {
    throw new AppError('unavailable', 'This server was started without PRICETAPE_SECRET_KEY, which codes need.')
  },
}

const wrong = (): AppError => new AppError('invalid_credentials', 'The e-mail address or the password is wrong.')
