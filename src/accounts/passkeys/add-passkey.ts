import type { Sql } from '../../lib/sql.ts'
import { readName } from '../name-rules.ts'
import { lockAccount } from '../users/account-store.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { withNotices } from '../users/mail/notify-owner.ts'
import { useChallenge } from './challenge-store.ts'
import { checkNewPasskey } from './check-answer.ts'
import { passkeyLimit, passkeyRefused } from './passkey-errors.ts'
import { MAX_PASSKEYS, readClientData } from './passkey-rules.ts'
import type { NewPasskeyAnswer, Passkey } from './passkey-schema.ts'
import { credentialIdsOf, insertPasskey } from './passkey-store.ts'
import type { RelyingParty } from './relying-party-rules.ts'

/**
 * Adds the passkey that a device made for this session, and notifies the account's owner.
 * @throws AppError invalid_body (field `name`), invalid_passkey, passkey_limit
 */
export async function addPasskey(
  sql: Sql,
  mail: AccountMail,
  party: RelyingParty,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  given: { name: string; passkey: NewPasskeyAnswer },
): Promise<Passkey> {
  const name = readName(given.name)
  const clientData = readClientData(given.passkey.response.clientDataJSON)
  if (!clientData || !(await useChallenge(sql, clientData.challenge, { sessionId }))) throw passkeyRefused()
  const credential = await checkNewPasskey({ party, ...clientData }, given.passkey)
  if (!credential) throw passkeyRefused()
  return withNotices(sql, mail, async (tx, notify) => {
    const account = await lockAccount(tx, accountId)
    if (!account) throw passkeyRefused()
    if ((await credentialIdsOf(tx, accountId)).length >= MAX_PASSKEYS) throw passkeyLimit()
    const added = await insertPasskey(tx, { ...credential, accountId, name })
    if (!added) throw passkeyRefused()
    await notify(account.email, { kind: 'passkey_added', about: name })
    return added
  })
}
