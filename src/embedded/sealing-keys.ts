import { totpKeyIds } from '../accounts/second-factor/totp-store.ts'
import type { Sql } from '../lib/sql.ts'
import { logSealingKeyIds } from '../proof/keys/rotate-log-key.ts'
import { secretKeyIds } from '../webhooks/subscriptions/secret-store.ts'

/** Returns the ids of the keys that the secrets in a database are sealed with. */
export async function sealingKeyIds(sql: Sql): Promise<Set<string>> {
  return new Set([...(await secretKeyIds(sql)), ...(await totpKeyIds(sql)), ...(await logSealingKeyIds(sql))])
}
