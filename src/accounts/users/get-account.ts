import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Account } from './account-schema.ts'
import { accountOf } from './account-store.ts'

/** Returns an account. @throws AppError not_found */
export async function getAccount(sql: Sql, accountId: string): Promise<Account> {
  const account = await accountOf(sql, accountId)
  if (account) return account
  throw new AppError('not_found', 'This account no longer exists.')
}
