import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { tokenHash } from '../new-token.ts'
import type { SignedIn } from '../sessions/session-schema.ts'

export type FeedAddress = { createdAt: Instant; lastUsedAt: Instant | null }

/** An account has one address: a new one replaces it. */
export async function saveFeedAddress(tx: Tx, accountId: string, token: string): Promise<void> {
  await tx`
    insert into feed_address (account_id, token_hash, created_at)
    values (${accountId}, ${tokenHash(token)}, clock_timestamp())
    on conflict (account_id) do update
      set token_hash = excluded.token_hash, created_at = excluded.created_at, last_used_at = null`
}

export async function feedAddressOf(db: Db, accountId: string): Promise<FeedAddress | undefined> {
  const [row] = await db<FeedAddress[]>`
    select created_at as "createdAt", last_used_at as "lastUsedAt" from feed_address where account_id = ${accountId}`
  return row
}

/** Returns whether the account had an address. */
export async function removeFeedAddress(db: Db, accountId: string): Promise<boolean> {
  const removed = await db`delete from feed_address where account_id = ${accountId}`
  return removed.count > 0
}

export type FeedReader = Pick<SignedIn, 'accountId' | 'firstWorkspaceId'>

/** Returns whose address has this token, and notes its use at most once a minute. */
export async function feedReader(sql: Sql, token: string): Promise<FeedReader | undefined> {
  const [row] = await sql<(FeedReader & { idle: boolean })[]>`
    select a.account_id as "accountId",
           (select m.workspace_id from workspace_member m where m.account_id = a.account_id
            order by m.created_at, m.workspace_id limit 1) as "firstWorkspaceId",
           coalesce(f.last_used_at < clock_timestamp() - interval '1 minute', true) as idle
    from feed_address f join account a using (account_id)
    where f.token_hash = ${tokenHash(token)} and a.disabled_at is null`
  if (!row) return undefined
  const { idle, ...reader } = row
  if (idle) await sql`update feed_address set last_used_at = clock_timestamp() where account_id = ${reader.accountId}`
  return reader
}
