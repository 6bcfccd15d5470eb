import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { rateLimited } from '../rate-limited.ts'
import type { Account } from '../users/account-schema.ts'
import { accountOfEmail, lockPassword } from '../users/account-store.ts'
import { isPassword } from '../users/password.ts'
import { beginSignIn, forgetFailures } from './backoff-store.ts'
import { type Device, startSession } from './start-session.ts'

/**
 * Signs an account in. An unknown address and a wrong password get the same answer in the same time. After five wrong
 * passwords in a row each further try has to wait, longer every time.
 * @throws AppError invalid_credentials, rate_limited, forbidden (the account is disabled)
 */
export async function signIn(
  sql: Sql,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<{ account: Account; sessionToken: string }> {
  const waitSeconds = await beginSignIn(sql, email)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  const found = await accountOfEmail(sql, email)
  if (!(await isPassword(found?.passwordHash, password)) || !found) {
    throw wrong()
  }
  const { passwordHash, ...account } = found
  if (account.disabledAt) throw new AppError('forbidden', 'This account is disabled: ask an operator to enable it.')
  await forgetFailures(sql, email)
  return sql.begin(async (tx) => {
    if (!(await lockPassword(tx, account.accountId, passwordHash))) throw wrong()
    return { account, sessionToken: await startSession(tx, account.accountId, device) }
  })
}

const wrong = (): AppError => new AppError('invalid_credentials', 'The e-mail address or the password is wrong.')
