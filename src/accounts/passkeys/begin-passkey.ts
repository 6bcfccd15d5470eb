import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { confirmRecently } from '../users/confirm-recently.ts'
import { getAccount } from '../users/get-account.ts'
import { insertChallenge } from './challenge-store.ts'
import { passkeyLimit } from './passkey-errors.ts'
import { creationOptions, MAX_PASSKEYS } from './passkey-rules.ts'
import { credentialIdsOf } from './passkey-store.ts'
import type { RelyingParty } from './relying-party-rules.ts'

type Owner = { accountId: string; email: string; sessionId: string }

/**
 * Returns what a browser needs to make a passkey, for this session alone.
 * @throws AppError invalid_body (field `currentPassword`), rate_limited after wrong ones, passkey_limit
 */
export async function beginPasskey(sql: Sql, party: RelyingParty, owner: Owner, currentPassword: string | undefined) {
  const { accountId, sessionId } = owner
  await confirmRecently(sql, owner, currentPassword)
  const account = await getAccount(sql, accountId)
  const present = await credentialIdsOf(sql, accountId)
  if (present.length >= MAX_PASSKEYS) throw passkeyLimit()
  const challenge = newToken()
  await insertChallenge(sql, challenge, { sessionId })
  return creationOptions({ party, challenge, account, present })
}
