import { recordAction } from '../../audit/record-action.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import { readName } from '../name-rules.ts'
import { lockPassword } from '../users/account-store.ts'
import { confirmPasswordAlone, wrongPassword } from '../users/confirm-password.ts'
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
 * Removes a passkey: from then on it signs nobody in. Sessions that it started stay.
 * @throws AppError not_found, invalid_body (field `currentPassword`), rate_limited
 */
export async function removePasskey(
  sql: Sql,
  owner: { accountId: string; email: string },
  { passkeyId, currentPassword }: { passkeyId: string; currentPassword: string },
): Promise<void> {
  const present = await confirmPasswordAlone(sql, owner, currentPassword)
  const { accountId } = owner
  await sql.begin(async (tx) => {
    if (!(await lockPassword(tx, accountId, present))) throw wrongPassword()
    const name = isId(passkeyId) ? await deletePasskey(tx, { accountId, passkeyId }) : undefined
    if (name === undefined) throw noPasskey()
    await recordAction(tx, 'passkey_removed', { accountId, subject: passkeyId, detail: { name } })
  })
}

/**
 * Removes every passkey of an account, at an operator's request: its owner lost a device. Returns how many there were.
 * @throws AppError not_found
 */
export async function resetPasskeys(sql: Sql, accountId: string): Promise<number> {
  return sql.begin(async (tx) => {
    await requireAccount(tx, accountId)
    const removed = await deletePasskeysOf(tx, accountId)
    if (removed > 0) await recordAction(tx, 'passkeys_reset', { subject: accountId, detail: { removed } })
    return removed
  }) as Promise<number>
}
