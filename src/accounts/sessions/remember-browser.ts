import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { isBrowserToken, saveKnownBrowser } from './known-browser-store.ts'

/**
 * Remembers the browser in which someone proved to be an account's owner. Returns the token for its cookie: the one it
 * has, when that is ours, so that it may be known to several accounts.
 */
export async function rememberBrowser(sql: Sql, accountId: string, present: string | undefined): Promise<string> {
  const isOurs = present !== undefined && (await isBrowserToken(sql, present))
  const token = isOurs ? present : newToken()
  await sql.begin((tx) => saveKnownBrowser(tx, { accountId, token }))
  return token
}
