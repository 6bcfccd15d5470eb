import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { rateLimited } from '../rate-limited.ts'
import { beginSignIn, forgetFailures } from '../sessions/backoff-store.ts'
import { type Device, startSession } from '../sessions/start-session.ts'
import type { Account } from '../users/account-schema.ts'
import { lockAccount } from '../users/account-store.ts'
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
 * is used up by the first answer to it, right or wrong. Tries count like those with a password.
 * @throws AppError invalid_credentials, rate_limited, forbidden (the account is disabled)
 */
export async function signInWithPasskey(
  sql: Sql,
  party: RelyingParty,
  { passkey, browserToken }: { passkey: PasskeyAnswer; browserToken: string | undefined },
  device: Device,
): Promise<{ account: Account; sessionToken: string }> {
  const asked = readClientData(passkey.response.clientDataJSON)
  if (!asked || browserToken === undefined) throw signInRefused()
  if (!(await useChallenge(sql, asked.challenge, { browserToken }))) throw signInRefused()
  const owner = await ownerOfCredential(sql, passkey.id)
  if (!owner || passkey.response.userHandle !== userHandle(owner.accountId)) throw signInRefused()
  const waitSeconds = await beginSignIn(sql, owner.email)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  await loadChecks()
  const { accountId, email } = owner
  return sql.begin(async (tx) => {
    const account = await lockAccount(tx, accountId)
    const credential = await lockCredential(tx, { accountId, credentialId: passkey.id })
    const used = credential && (await checkUse({ party, ...asked }, passkey, credential))
    if (!account || !credential || !used) throw signInRefused()
    if (account.disabledAt) throw new AppError('forbidden', 'This account is disabled: ask an operator to enable it.')
    await recordUse(tx, credential.passkeyId, used)
    await forgetFailures(tx, email)
    return { account, sessionToken: await startSession(tx, accountId, device, { passkey: credential.name }) }
  })
}
