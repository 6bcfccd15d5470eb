import { OperatorError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import type { Account } from './account-schema.ts'
import { accountOfEmail, allAccounts } from './account-store.ts'
import { forgetLinks, saveLink } from './links/link-store.ts'
import { setAccountDisabled } from './set-account-disabled.ts'

/** Returns every account, oldest first. */
export const listAccounts = (sql: Sql): Promise<Account[]> => allAccounts(sql)

/**
 * Disables an account and signs it out everywhere, or enables it again. `successor` is the address of the account that
 * becomes admin where no other admin can act. @throws OperatorError; AppError last_admin, invalid_body
 */
export async function disableAccount(sql: Sql, email: string, disabled = true, successor?: string): Promise<void> {
  await sql.begin(async (tx) => {
    const { accountId } = await accountNamed(tx, email)
    const heir = successor === undefined ? undefined : (await accountNamed(tx, successor)).accountId
    await setAccountDisabled(tx, { accountId, disabled, successor: heir })
  })
}

async function accountNamed(tx: Tx, email: string): Promise<Account> {
  const account = await accountOfEmail(tx, email)
  if (account) return account
  throw noAccount(email)
}

/**
 * Returns the token of a link with which an account gets a new password, for operators to hand over where mail does not
 * arrive. It replaces the one before it. @throws OperatorError
 */
export async function createResetLink(sql: Sql, email: string): Promise<string> {
  const token = newToken()
  await sql.begin(async (tx) => {
    const account = await accountOfEmail(tx, email)
    if (!account || account.disabledAt) throw noAccount(email)
    await forgetLinks(tx, 'reset_password', email)
    await saveLink(tx, { kind: 'reset_password', email, token, byOperator: true })
  })
  return token
}

const noAccount = (email: string): OperatorError =>
  new OperatorError(`There is no account ${email} that can be used. See: npx pricetape account list`)
