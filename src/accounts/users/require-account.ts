import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Account } from './account-schema.ts'
import { accountOf } from './account-store.ts'

/** Returns the account of this id. @throws AppError not_found */
export async function requireAccount(tx: Tx, accountId: string): Promise<Account> {
  const account = isId(accountId) ? await accountOf(tx, accountId) : undefined
  if (account) return account
  throw new AppError('not_found', 'There is no such account.')
}

export const accountDisabled = (): AppError =>
  new AppError('forbidden', 'This account is disabled: ask an operator to enable it.')
