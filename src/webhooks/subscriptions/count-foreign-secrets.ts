import { keyId } from '../../lib/seal.ts'
import type { Sql } from '../../lib/sql.ts'
import { countSecretsOfOtherKeys } from './secret-store.ts'

/** Returns how many webhook secrets were sealed with another key, so that this key does not open them. */
export const countForeignSecrets = (sql: Sql, key: Uint8Array): Promise<number> =>
  countSecretsOfOtherKeys(sql, keyId(key))
