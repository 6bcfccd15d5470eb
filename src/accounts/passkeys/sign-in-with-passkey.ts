import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { countIn, forgetTries } from '../sessions/count-try.ts'
import { type Device, startSession } from '../sessions/start-session.ts'
import type { Account } from '../users/account-schema.ts'
import { lockAccount } from '../users/account-store.ts'
import { accountDisabled } from '../users/require-account.ts'
import { insertChallenge, useChallenge } from './challenge-store.ts'
import { checkUse, loadChecks } from './check-answer.ts'
import { signInRefused } from './passkey-errors.ts'
import { readClientData, requestOptions, userHandle } from './passkey-rules.ts'
import type { PasskeyAnswer } from './passkey-schema.ts'
import { lockCredential, ownerOfCredential, recordUse } from './passkey-store.ts'
import type { RelyingParty } from './relying-party-rules.ts'

/**
 * Returns what a browser needs to sign in with a passkey, and the token of its cookie. Pages of one browser share the
 * cookie, so that each of them can have a challenge.
 */
export async function beginPasskeySignIn(sql: Sql, party: RelyingParty, browserToken: string = newToken()) {
  const challenge = newToken()
  await insertChallenge(sql, challenge, { browserToken })
  return { options: requestOptions(party, challenge), browserToken }
}

/**
 * Signs in the account of a passkey. The device recognized its owner, so no password and no code is asked for. A challenge
 * is used up by the first answer to it, right or wrong. Tries are counted for each passkey.
 * @throws AppError invalid_credentials, rate_limited, forbidden (the account is disabled)
 */
export async function signInWithPasskey(
  sql: Sql,
  party: RelyingParty,
  { passkey, browserToken }: { passkey: PasskeyAnswer; browserToken: string | undefined },
  device: Device,
): Promise<{ account: Account; sessionToken: string }> {
  const clientData = readClientData(passkey.response.clientDataJSON)
  if (!clientData || browserToken === undefined) throw signInRefused()
  if (!(await useChallenge(sql, clientData.challenge, { browserToken }))) throw signInRefused()
  const owner = await ownerOfCredential(sql, passkey.id)
  if (!owner || passkey.response.userHandle !== userHandle(owner.accountId)) throw signInRefused()
  // Whoever does not have this passkey never gets here, so it is held up by no one's wrong passwords.
  const counter = `passkey/${passkey.id}`
  await countIn(sql, counter)
  await loadChecks()
  const { accountId } = owner
  return sql.begin(async (tx) => {
    const account = await lockAccount(tx, accountId)
    const credential = await lockCredential(tx, { accountId, credentialId: passkey.id })
    const used = credential && (await checkUse({ party, ...clientData }, passkey, credential))
    if (!account || !credential || !used) throw signInRefused()
    if (account.disabledAt) throw accountDisabled()
    await recordUse(tx, credential.passkeyId, used)
    await forgetTries(tx, counter)
    return { account, sessionToken: await startSession(tx, accountId, device, { passkey: credential.name }) }
  })
}
