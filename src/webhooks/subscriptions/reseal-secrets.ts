import type { Sql } from '../../lib/sql.ts'
import { lockSecrets, resealSecret } from './secret-store.ts'

/** Moves every stored secret from old keys to the current one, in one transaction. Returns how many. */
export async function resealSecrets(sql: Sql, from: Uint8Array[], to: Uint8Array): Promise<number> {
  return sql.begin(async (tx) => {
    const secrets = await lockSecrets(tx)
    for (const secret of secrets) await resealSecret(tx, secret, from, to)
    return secrets.length
  }) as Promise<number>
}
