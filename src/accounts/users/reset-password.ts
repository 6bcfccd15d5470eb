import { recordAction } from '../../audit/record-action.ts'
import type { Sql } from '../../lib/sql.ts'
import { forgetFailures } from '../sessions/backoff-store.ts'
import { removeSessions } from '../sessions/session-store.ts'
import { accountOfEmail, setEmailVerified, setPassword } from './account-store.ts'
import { invalidLink } from './invalid-link.ts'
import { useLink } from './link-store.ts'
import { hashPassword } from './password.ts'
import { checkPasswordIsNotEmail } from './password-rules.ts'

/**
 * Gives an account the password that the holder of a reset link chose, and signs it out everywhere.
 * @param mailWorks whether links reach people by mail, which proves their address
 * @throws AppError invalid_link, invalid_body (field `password`)
 */
export async function resetPassword(
  sql: Sql,
  { token, password }: { token: string; password: string },
  { mailWorks }: { mailWorks: boolean },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await sql.begin(async (tx) => {
    const email = await useLink(tx, 'reset_password', token)
    const account = email === undefined ? undefined : await accountOfEmail(tx, email)
    if (!account || account.disabledAt) throw invalidLink()
    checkPasswordIsNotEmail(password, account.email)
    const { accountId } = account
    await setPassword(tx, accountId, passwordHash)
    await removeSessions(tx, accountId)
    await forgetFailures(tx, account.email)
    if (mailWorks) await setEmailVerified(tx, account.email)
    await recordAction(tx, 'password_reset', { accountId })
  })
}
