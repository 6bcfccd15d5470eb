import { tokenHash } from '../accounts/new-token.ts'
import type { Db, Sql } from '../lib/sql.ts'
import type { Frequency } from './schema.ts'

/** What a link ends: a watch, or the digest of a frequency. */
export type Unsubscribing = { accountId: string } & (
  | { watchId: string; frequency: null }
  | { watchId: null; frequency: Frequency }
)

export async function insertLink(sql: Sql, token: string, ends: Unsubscribing): Promise<void> {
  await sql`
    insert into unsubscribe_link (token_hash, account_id, watch_id, frequency, created_at)
    values (${tokenHash(token)}, ${ends.accountId}, ${ends.watchId}, ${ends.frequency}, clock_timestamp())`
}

export async function linkOf(db: Db, token: string): Promise<Unsubscribing | undefined> {
  const [row] = await db<Unsubscribing[]>`
    select account_id as "accountId", watch_id as "watchId", frequency from unsubscribe_link
    where token_hash = ${tokenHash(token)}`
  return row
}

/** Returns how many links were older. */
export async function deleteLinks(db: Db, olderThanMs: number, limit: number): Promise<number> {
  const deleted = await db`
    delete from unsubscribe_link where token_hash = any (array(
      select token_hash from unsubscribe_link
      where created_at <= clock_timestamp() - ${`${olderThanMs} ms`}::interval limit ${limit}))`
  return deleted.count
}
