import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Tx } from '../../lib/sql.ts'
import { accountOf } from './account-store.ts'

/** Makes sure that there is an account of this id. @throws AppError not_found */
export async function requireAccount(tx: Tx, accountId: string): Promise<void> {
  if (isId(accountId) && (await accountOf(tx, accountId))) return
  throw new AppError('not_found', 'There is no such account.')
}

export const accountDisabled = (): AppError =>
  new AppError('forbidden', 'This account is disabled: ask an operator to enable it.')
