import { AppError } from '../../../lib/errors.ts'
import type { Sql } from '../../../lib/sql.ts'
import { clientAddress } from '../../limits/client-address-rules.ts'
import { drawToken } from '../../limits/rate-limit-store.ts'
import { rateLimited } from '../../limits/rate-limited.ts'
import { newToken } from '../../new-token.ts'
import { accountExists, accountOf, accountOfEmail } from '../account-store.ts'
import { type AccountMail, mailOrShow } from '../mail/account-mail.ts'
import { accountExistsMail, linkMail } from '../mail/mail-rules.ts'
import { linkTo, SIGN_UPS_OF_CLIENT } from './link-rules.ts'
import { saveLink } from './link-store.ts'

/**
 * Mails a link with which an address can create its account. The answer does not show whether it has one: then the mail
 * says so.
 * @throws AppError forbidden when sign-up is by invitation only, or no one is first yet; rate_limited
 */
export async function requestSignUp(
  sql: Sql,
  mail: AccountMail,
  { email, signUp, address }: { email: string; signUp: 'open' | 'invitation'; address: string },
): Promise<void> {
  if (signUp !== 'open') throw new AppError('forbidden', 'Accounts are by invitation here: ask an admin for one.')
  if (!(await accountExists(sql))) {
    throw new AppError('forbidden', 'The first account is created with the link on the screen of npm start.')
  }
  const waitSeconds = await drawToken(sql, `sign-ups:${clientAddress(address)}`, SIGN_UPS_OF_CLIENT)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  const token = newToken()
  const account = await accountOfEmail(sql, email)
  if (!(await saveLink(sql, { kind: 'sign_up', email, token }))) return
  if (account) return mailOrShow(mail, account.email, accountExistsMail(mail.origin), undefined)
  const link = linkTo(mail.origin, 'sign_up', token)
  mailOrShow(mail, email, linkMail('sign_up', link), `Sign-up of ${email}: ${link}`)
}

/** Mails a link with which the account of this address gets a new password. The answer shows nothing of it. */
export async function requestPasswordReset(sql: Sql, mail: AccountMail, email: string): Promise<void> {
  const token = newToken()
  const account = await accountOfEmail(sql, email)
  const isNew = await saveLink(sql, { kind: 'reset_password', email, token })
  if (!isNew || !account || account.disabledAt) return
  const link = linkTo(mail.origin, 'reset_password', token)
  mailOrShow(mail, account.email, linkMail('reset_password', link), `New password for ${account.email}: ${link}`)
}

/** Mails the link that confirms an account's address; nothing when it is confirmed. */
export async function requestVerification(sql: Sql, mail: AccountMail, accountId: string): Promise<void> {
  const account = await accountOf(sql, accountId)
  if (!account || account.emailVerifiedAt) return
  const { email } = account
  const token = newToken()
  if (!(await saveLink(sql, { kind: 'verify_email', email, token }))) return
  const link = linkTo(mail.origin, 'verify_email', token)
  mailOrShow(mail, email, linkMail('verify_email', link), `Confirmation of ${email}: ${link}`)
}
