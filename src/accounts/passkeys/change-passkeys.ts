import { recordAction } from '../../audit/record-action.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import { readName } from '../name-rules.ts'
import { lockPassword } from '../users/account-store.ts'
import { confirmPasswordAlone, wrongPassword } from '../users/confirm-password.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { withNotices } from '../users/mail/notify-owner.ts'
import { requireAccount } from '../users/require-account.ts'
import { noPasskey } from './passkey-errors.ts'
import type { Passkey } from './passkey-schema.ts'
import { deletePasskey, deletePasskeysOf, passkeysOf, setPasskeyName } from './passkey-store.ts'

/** Returns the passkeys of an account, oldest first. */
export const listPasskeys = (sql: Sql, accountId: string): Promise<Passkey[]> => passkeysOf(sql, accountId)

/** Gives a passkey another name. @throws AppError not_found, invalid_body (field `name`) */
export async function renamePasskey(
  sql: Sql,
  passkey: { accountId: string; passkeyId: string },
  given: { name: string },
): Promise<string> {
  const name = readName(given.name)
  await sql.begin(async (tx) => {
    if (!isId(passkey.passkeyId) || !(await setPasskeyName(tx, passkey, name))) throw noPasskey()
  })
  return name
}

/**
 * Removes a passkey: from then on it signs no one in. Sessions that it started stay. Its owner is
 * notified.
 * @throws AppError not_found, invalid_body (field `currentPassword`), rate_limited
 */
export async function removePasskey(
  sql: Sql,
  mail: AccountMail,
  owner: { accountId: string; email: string; sessionId?: string },
  { passkeyId, currentPassword }: { passkeyId: string; currentPassword: string },
): Promise<void> {
  const present = await confirmPasswordAlone(sql, owner, currentPassword)
  const { accountId } = owner
  await withNotices(sql, mail, async (tx, notify) => {
    if (!(await lockPassword(tx, accountId, present))) throw wrongPassword()
    const name = isId(passkeyId) ? await deletePasskey(tx, { accountId, passkeyId }) : undefined
    if (name === undefined) throw noPasskey()
    await recordAction(tx, 'passkey_removed', { accountId, subject: passkeyId, detail: { name } })
    await notify(owner.email, { kind: 'passkey_removed', about: name })
  })
}

/**
 * Removes every passkey of an account, at an operator's request: its owner lost a device, and is notified.
 * Returns how many there were.
 * @throws AppError not_found
 */
export async function resetPasskeys(sql: Sql, mail: AccountMail, accountId: string): Promise<number> {
  return withNotices(sql, mail, async (tx, notify) => {
    const { email } = await requireAccount(tx, accountId)
    const removed = await deletePasskeysOf(tx, accountId)
    if (removed === 0) return removed
    await recordAction(tx, 'passkeys_reset', { subject: accountId, detail: { removed } })
    await notify(email, { kind: 'passkeys_reset' })
    return removed
  })
}
