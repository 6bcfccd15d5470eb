import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { signOut } from '../sessions/sign-out.ts'
import { type AccountOverview, accountOverview, countOperators, lockOperators, setOperator } from './overview-store.ts'
import { requireAccount } from './require-account.ts'
import { setAccountDisabled } from './set-account-disabled.ts'

/** `successor`: who becomes admin where no other admin can act. */
export type AccountState = { operator?: boolean; disabled?: boolean; successor?: string }

/** Returns every account as operators see it, oldest first. */
export const listAccountsInDetail = (sql: Sql): Promise<AccountOverview[]> => accountOverview(sql)

/**
 * Makes an account an operator or not, and disables it or not; disabled, it is signed out everywhere. One operator who
 * can sign in always stays. @throws AppError not_found, last_operator, last_admin, invalid_body (field `successor`)
 */
export async function changeAccountState(sql: Sql, accountId: string, state: AccountState): Promise<void> {
  await sql.begin(async (tx) => {
    await lockOperators(tx)
    await requireAccount(tx, accountId)
    const before = await countOperators(tx)
    const { operator, disabled, successor } = state
    if (operator !== undefined && (await setOperator(tx, accountId, operator)))
      await recordAction(tx, operator ? 'operator_added' : 'operator_removed', { subject: accountId })
    if (disabled !== undefined) await setAccountDisabled(tx, { accountId, disabled, successor })
    if (before > 0 && (await countOperators(tx)) === 0)
      throw new AppError('last_operator', 'One operator who can sign in stays: make another account an operator first.')
  })
}

/** Signs an account out everywhere, at an operator's request. Returns how many sessions ended. @throws AppError not_found */
export async function endSessionsOf(sql: Sql, accountId: string): Promise<number> {
  const done = await sql.begin(async (tx) => {
    await requireAccount(tx, accountId)
    const ended = await signOut(tx, accountId)
    await recordAction(tx, 'sessions_ended', { subject: accountId, detail: { ended } })
    return { ended }
  })
  return done.ended
}
