import { recordAction } from '../../audit/record-action.ts'
import type { Sql } from '../../lib/sql.ts'
import { readName } from '../name-rules.ts'
import { counterOfOwner, forgetTries } from '../sessions/count-try.ts'
import { signOut } from '../sessions/sign-out.ts'
import { type Device, startSession } from '../sessions/start-session.ts'
import { lockPassword, setAccountName, setPassword } from './account-store.ts'
import { confirmPassword, wrongPassword } from './confirm-password.ts'
import { forgetLinks } from './links/link-store.ts'
import type { AccountMail } from './mail/account-mail.ts'
import { withNotices } from './mail/notify-owner.ts'
import { hashPassword } from './password.ts'
import { checkPasswordIsNotEmail } from './password-rules.ts'

type Owner = { accountId: string; email: string; sessionId?: string }

/** Gives an account another name. @throws AppError invalid_body (field `name`) */
export async function renameAccount(sql: Sql, { accountId }: Owner, given: { name: string }): Promise<string> {
  const name = readName(given.name)
  await sql.begin(async (tx) => {
    await setAccountName(tx, accountId, name)
    await recordAction(tx, 'account_renamed', { accountId })
  })
  return name
}

/**
 * Changes a password for someone who knows the present one. Every session ends, and its owner is notified. Returns the
 * token of a new session.
 * @throws AppError invalid_body (field `currentPassword` or `password`), rate_limited after wrong ones
 */
export async function changePassword(
  sql: Sql,
  mail: AccountMail,
  owner: Owner,
  { currentPassword, password }: { currentPassword: string; password: string },
  device: Device,
): Promise<string> {
  const { accountId, email } = owner
  checkPasswordIsNotEmail(password, email)
  const present = await confirmPassword(sql, owner, currentPassword)
  const passwordHash = await hashPassword(password)
  return withNotices(sql, mail, async (tx, notify) => {
    if (!(await lockPassword(tx, accountId, present))) throw wrongPassword()
    await setPassword(tx, accountId, passwordHash)
    await forgetTries(tx, counterOfOwner(accountId))
    await forgetLinks(tx, 'reset_password', email)
    await signOut(tx, accountId)
    await recordAction(tx, 'password_changed', { accountId })
    await notify(email, { kind: 'password_changed' })
    return startSession(tx, accountId, device)
  })
}
