import { recordAction } from '../../audit/record-action.ts'
import type { Sql } from '../../lib/sql.ts'
import { counterOfOwner, forgetTries } from '../sessions/count-try.ts'
import { confirmPassword } from '../users/confirm-password.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { withNotices } from '../users/mail/notify-owner.ts'
import { requireAccount } from '../users/require-account.ts'
import { checkCode, type Keys } from './check-code.ts'
import { removeTotp } from './totp-store.ts'

/**
 * Asks an account for codes no more: for someone with its password and a code. Its owner is notified.
 * @throws AppError invalid_body (field `currentPassword`), invalid_code, rate_limited
 */
export async function turnTotpOff(
  sql: Sql,
  mail: AccountMail,
  keys: Keys,
  owner: { accountId: string; email: string; sessionId?: string },
  given: { currentPassword: string; code: string },
): Promise<void> {
  await confirmPassword(sql, owner, given.currentPassword)
  const { accountId, email } = owner
  await withNotices(sql, mail, async (tx, notify) => {
    await checkCode(tx, keys, accountId, given.code)
    if (await removeTotp(tx, accountId)) {
      await recordAction(tx, 'second_factor_off', { accountId })
      await notify(email, { kind: 'codes_off' })
    }
    await forgetTries(tx, counterOfOwner(accountId))
  })
}

/**
 * Asks an account for codes no more, at an operator's request: its owner lost the device, and is notified.
 * @throws AppError not_found
 */
export async function resetTotp(sql: Sql, mail: AccountMail, accountId: string): Promise<void> {
  await withNotices(sql, mail, async (tx, notify) => {
    const { email } = await requireAccount(tx, accountId)
    if (!(await removeTotp(tx, accountId))) return
    await recordAction(tx, 'second_factor_reset', { subject: accountId })
    await notify(email, { kind: 'codes_reset' })
  })
}
