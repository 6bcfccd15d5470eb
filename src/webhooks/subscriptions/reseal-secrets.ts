import type { Tx } from '../../lib/sql.ts'
import { lockSecrets, resealSecret } from './secret-store.ts'

/** Moves every stored secret from old keys to the current one. Returns how many. @throws Error when none opens one */
export async function resealSecrets(tx: Tx, from: Uint8Array[], to: Uint8Array): Promise<number> {
  const secrets = await lockSecrets(tx)
  for (const secret of secrets) await resealSecret(tx, secret, from, to)
  return secrets.length
}
