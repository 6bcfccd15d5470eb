import { recordAction } from '../../../audit/record-action.ts'
import type { Sql } from '../../../lib/sql.ts'
import { counterOfOwner, forgetTries } from '../../sessions/count-try.ts'
import { signOut } from '../../sessions/sign-out.ts'
import { type Device, startSession } from '../../sessions/start-session.ts'
import { accountOfEmail, setEmailVerified, setPassword } from '../account-store.ts'
import type { AccountMail } from '../mail/account-mail.ts'
import { withNotices } from '../mail/notify-owner.ts'
import { hashPassword } from '../password.ts'
import { checkPasswordIsNotEmail } from '../password-rules.ts'
import { invalidLink } from './invalid-link.ts'
import { useLink } from './link-store.ts'

/**
 * Gives an account the password that the holder of a reset link chose, signs it out everywhere, and notifies its owner. A link
 * that came by mail proves the address. Returns the account: the caller may remember the browser of its owner.
 * @param signsIn where the link signs in too
 * @throws AppError invalid_link, invalid_body (field `password`)
 */
export async function resetPassword(
  sql: Sql,
  mail: AccountMail,
  { token, password }: { token: string; password: string },
  signsIn?: Device,
): Promise<{ accountId: string; sessionToken?: string }> {
  const passwordHash = await hashPassword(password)
  return withNotices(sql, mail, async (tx, notify) => {
    const email = await useLink(tx, 'reset_password', token)
    const account = email === undefined ? undefined : await accountOfEmail(tx, email)
    if (!account || account.disabledAt) throw invalidLink()
    checkPasswordIsNotEmail(password, account.email)
    const { accountId } = account
    await setPassword(tx, accountId, passwordHash)
    await signOut(tx, accountId)
    await forgetTries(tx, counterOfOwner(accountId))
    if (mail.outbox) await setEmailVerified(tx, account.email)
    await recordAction(tx, 'password_reset', { accountId })
    await notify(account.email, { kind: 'password_reset' })
    const sessionToken = signsIn && (await startSession(tx, accountId, signsIn))
    return { accountId, sessionToken }
  })
}
