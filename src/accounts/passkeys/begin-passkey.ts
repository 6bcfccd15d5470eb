import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { isSessionSince } from '../sessions/session-store.ts'
import { confirmPasswordAlone } from '../users/confirm-password.ts'
import { getAccount } from '../users/get-account.ts'
import { insertChallenge } from './challenge-store.ts'
import { passkeyLimit } from './passkey-errors.ts'
import { creationOptions, MAX_PASSKEYS, RECENT_MS } from './passkey-rules.ts'
import { credentialIdsOf } from './passkey-store.ts'
import type { RelyingParty } from './relying-party-rules.ts'

type Owner = { accountId: string; email: string; sessionId: string }

/** Returns whether someone has to give the password before a passkey is added: the last sign-in is not recent. */
export const asksForPassword = async (sql: Sql, { sessionId }: { sessionId: string }): Promise<boolean> =>
  !(await isSessionSince(sql, sessionId, RECENT_MS))

/**
 * Returns what a browser needs to make a passkey, for this session alone.
 * @throws AppError invalid_body (field `currentPassword`), rate_limited after wrong ones, passkey_limit
 */
export async function beginPasskey(sql: Sql, party: RelyingParty, owner: Owner, currentPassword: string | undefined) {
  const { accountId, sessionId } = owner
  if (currentPassword !== undefined) {
    await confirmPasswordAlone(sql, owner, currentPassword)
  } else if (await asksForPassword(sql, owner)) {
    throw new AppError('invalid_body', 'currentPassword: is needed, because you signed in some time ago', {
      field: 'currentPassword',
    })
  }
  const account = await getAccount(sql, accountId)
  const present = await credentialIdsOf(sql, accountId)
  if (present.length >= MAX_PASSKEYS) throw passkeyLimit()
  const challenge = newToken()
  await insertChallenge(sql, challenge, { sessionId })
  return creationOptions({ party, challenge, account, present })
}
