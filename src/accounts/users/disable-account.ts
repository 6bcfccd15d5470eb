import { recordAction } from '../../audit/record-action.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { signOut } from '../sessions/sign-out.ts'
import type { Account } from './account-schema.ts'
import { accountOfEmail, allAccounts, setDisabled } from './account-store.ts'
import { forgetLinks, saveLink } from './link-store.ts'

/** Returns every account, oldest first. */
export const listAccounts = (sql: Sql): Promise<Account[]> => allAccounts(sql)

/** Disables an account and signs it out everywhere, or enables it again. @throws OperatorError */
export async function disableAccount(sql: Sql, email: string, disabled = true): Promise<void> {
  await sql.begin(async (tx) => {
    const account = await accountOfEmail(tx, email)
    if (!account) throw noAccount(email)
    const { accountId } = account
    if (!(await setDisabled(tx, accountId, disabled))) return
    if (disabled) await signOut(tx, accountId)
    await recordAction(tx, disabled ? 'account_disabled' : 'account_enabled', { subject: accountId })
  })
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
    await saveLink(tx, { kind: 'reset_password', email, token })
  })
  return token
}

const noAccount = (email: string): OperatorError =>
  new OperatorError(`There is no account ${email} that can be used. See: npx pricetape account list`)
