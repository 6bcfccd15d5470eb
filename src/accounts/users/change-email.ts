import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { drawToken } from '../limits/rate-limit-store.ts'
import { rateLimited } from '../limits/rate-limited.ts'
import { newToken } from '../new-token.ts'
import { accountOf, accountOfEmail, setEmail } from './account-store.ts'
import { confirmPasswordAlone } from './confirm-password.ts'
import { emailKey } from './email-rules.ts'
import { ADDRESSES_OF_ACCOUNT, linkTo } from './links/link-rules.ts'
import { forgetLinks, removeEmailChanges, saveLink, useEmailChange } from './links/link-store.ts'
import { type AccountMail, mailOrShow } from './mail/account-mail.ts'
import { accountExistsMail, linkMail } from './mail/mail-rules.ts'
import { withNotices } from './mail/notify-owner.ts'

type Owner = { accountId: string; email: string; sessionId?: string }

/**
 * Mails a link to another address: with it the account gets that address. The answer does not show whether someone has
 * an account there; then the mail says so. The address that the account has is notified too.
 * @throws AppError invalid_body (field `email` or `currentPassword`), rate_limited
 */
export async function requestEmailChange(
  sql: Sql,
  mail: AccountMail,
  owner: Owner,
  { email, currentPassword }: { email: string; currentPassword: string },
): Promise<void> {
  if (emailKey(email) === emailKey(owner.email))
    throw new AppError('invalid_body', 'email: is your address already', { field: 'email' })
  await confirmPasswordAlone(sql, owner, currentPassword)
  const waitSeconds = await drawToken(sql, `addresses:${owner.accountId}`, ADDRESSES_OF_ACCOUNT)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  const token = newToken()
  const taken = await accountOfEmail(sql, email)
  const saved = await withNotices(sql, mail, async (tx, notify) => {
    const isNew = await saveLink(tx, { kind: 'change_email', email, token, accountId: owner.accountId })
    if (isNew) await notify(owner.email, { kind: 'email_asked', about: email })
    return isNew
  })
  if (!saved) return
  if (taken) return mailOrShow(mail, taken.email, accountExistsMail(mail.origin), undefined)
  const link = linkTo(mail.origin, 'change_email', token)
  mailOrShow(mail, email, linkMail('change_email', link), `New address ${email} for ${owner.email}: ${link}`)
}

/**
 * Gives an account the address that a link was mailed to. Returns both addresses; undefined when the token is of no such
 * link. @throws AppError account_exists when someone else has the address by now
 */
export async function useNewEmail(tx: Tx, token: string): Promise<{ before: string; after: string } | undefined> {
  const change = await useEmailChange(tx, token)
  const account = change && (await accountOf(tx, change.accountId))
  if (!account || account.disabledAt) return undefined
  const { accountId, email: before } = account
  if (!(await setEmail(tx, accountId, change.email)))
    throw new AppError('account_exists', 'This address has an account by now.')
  for (const kind of ['reset_password', 'verify_email'] as const) await forgetLinks(tx, kind, before)
  await removeEmailChanges(tx, accountId)
  await recordAction(tx, 'email_changed', { accountId, subject: accountId, detail: { before, after: change.email } })
  return { before, after: change.email }
}
