import type { Db, Tx } from '../../lib/sql.ts'
import { tokenHash } from '../new-token.ts'
import { emailKey } from '../users/email-rules.ts'
import { BROWSER_KEPT_MS, MAX_KNOWN_BROWSERS } from './known-browser-rules.ts'

/** Returns whether the account of this address was signed in to from this browser. */
export async function isKnownBrowser(db: Db, token: string, email: string): Promise<boolean> {
  const rows = await db`
    select from known_browser k join account a using (account_id)
    where k.token_hash = ${tokenHash(token)} and a.email_key = ${emailKey(email)}
      and k.last_used_at > clock_timestamp() - ${`${BROWSER_KEPT_MS} ms`}::interval`
  return rows.length > 0
}

/** Returns whether any account knows this token: then it is one of ours. */
export async function isBrowserToken(db: Db, token: string): Promise<boolean> {
  const rows = await db`select from known_browser where token_hash = ${tokenHash(token)} limit 1`
  return rows.length > 0
}

/** Remembers a browser, and forgets those of the account that were used longest ago. */
export async function saveKnownBrowser(tx: Tx, { accountId, token }: { accountId: string; token: string }) {
  await tx`
    insert into known_browser (token_hash, account_id, created_at, last_used_at)
    values (${tokenHash(token)}, ${accountId}, clock_timestamp(), clock_timestamp())
    on conflict (token_hash, account_id) do update set last_used_at = excluded.last_used_at`
  await tx`
    delete from known_browser
    where account_id = ${accountId} and token_hash in (
      select token_hash from known_browser where account_id = ${accountId}
      order by last_used_at desc, token_hash offset ${MAX_KNOWN_BROWSERS})`
}

export async function removeKnownBrowsers(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from known_browser where account_id = ${accountId}`
}

export async function removeAllKnownBrowsers(tx: Tx): Promise<void> {
  await tx`delete from known_browser`
}

/** Returns how many browsers were not used for too long. */
export async function deleteOldBrowsers(db: Db): Promise<number> {
  const deleted = await db`
    delete from known_browser where last_used_at < clock_timestamp() - ${`${BROWSER_KEPT_MS} ms`}::interval`
  return deleted.count
}
