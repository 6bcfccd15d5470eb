import { recordAction } from '../../../audit/record-action.ts'
import type { Sql } from '../../../lib/sql.ts'
import { setEmailVerified } from '../account-store.ts'
import { useNewEmail } from '../change-email.ts'
import type { AccountMail } from '../mail/account-mail.ts'
import { withNotices } from '../mail/notify-owner.ts'
import { invalidLink } from './invalid-link.ts'
import { useLink } from './link-store.ts'

/**
 * Records that an account's address reaches its owner, or gives the account the new address that its link was mailed to;
 * then the address before it is notified. @throws AppError invalid_link, account_exists
 */
export async function verifyEmail(sql: Sql, mail: AccountMail, token: string): Promise<void> {
  await withNotices(sql, mail, async (tx, notify) => {
    const email = await useLink(tx, 'verify_email', token)
    if (email === undefined) {
      const changed = await useNewEmail(tx, token)
      if (!changed) throw invalidLink()
      return notify(changed.before, { kind: 'email_changed', about: changed.after })
    }
    const accountId = await setEmailVerified(tx, email)
    if (accountId) await recordAction(tx, 'email_verified', { accountId })
  })
}
