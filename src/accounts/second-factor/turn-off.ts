import { recordAction } from '../../audit/record-action.ts'
import type { Sql } from '../../lib/sql.ts'
import { forgetFailures } from '../sessions/backoff-store.ts'
import { confirmPassword } from '../users/confirm-password.ts'
import { requireAccount } from '../users/require-account.ts'
import { checkCode, type Keys } from './check-code.ts'
import { removeTotp } from './totp-store.ts'

/**
 * Asks an account for codes no more: for somebody with its password and a code.
 * @throws AppError invalid_body (field `currentPassword`), invalid_code, rate_limited
 */
export async function turnTotpOff(
  sql: Sql,
  keys: Keys,
  owner: { accountId: string; email: string },
  given: { currentPassword: string; code: string },
): Promise<void> {
  await confirmPassword(sql, owner, given.currentPassword)
  const { accountId, email } = owner
  await sql.begin(async (tx) => {
    await checkCode(tx, keys, accountId, given.code)
    if (await removeTotp(tx, accountId)) await recordAction(tx, 'second_factor_off', { accountId })
    await forgetFailures(tx, email)
  })
}

/** Asks an account for codes no more, at an operator's request: its owner lost the device. @throws AppError not_found */
export async function resetTotp(sql: Sql, accountId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await requireAccount(tx, accountId)
    if (await removeTotp(tx, accountId)) await recordAction(tx, 'second_factor_reset', { subject: accountId })
  })
}
