import type { Sql } from '../../../lib/sql.ts'
import { newToken } from '../../new-token.ts'
import { accountExists, lockFirstAccount } from '../account-store.ts'
import { saveLink } from './link-store.ts'

/**
 * Returns the token of the link that creates the first account, the operator's. It replaces the one before it.
 * Undefined once there is an account.
 */
export async function createFirstAccountLink(sql: Sql): Promise<string | undefined> {
  const made = await sql.begin(async (tx) => {
    await lockFirstAccount(tx)
    if (await accountExists(tx)) return {}
    const token = newToken()
    await saveLink(tx, { kind: 'first_account', email: '', token })
    return { token }
  })
  return made.token
}

/** Returns whether the first account was created. Until then its link, which only the operator sees, is the way in. */
export const hasFirstAccount = (sql: Sql): Promise<boolean> => accountExists(sql)
