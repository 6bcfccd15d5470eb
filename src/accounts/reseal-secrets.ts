import { reseal } from '../lib/seal.ts'
import type { Tx } from '../lib/sql.ts'
import * as totp from './second-factor/totp-store.ts'

/**
 * Moves the secrets of authenticator apps from old keys to the current one. Returns how many.
 * @throws Error when a secret was sealed with another key
 */
export async function resealAccounts(tx: Tx, from: Uint8Array[], to: Uint8Array): Promise<number> {
  const keys = [to, ...from]
  const secrets = await totp.lockTotpSecrets(tx)
  for (const { accountId, sealed } of secrets)
    await totp.replaceTotpSecret(tx, accountId, reseal(keys, to, sealed, totp.contextOf(accountId)).sealed)
  return secrets.length
}
