import { recordAction } from '../../audit/record-action.ts'
import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { type FeedAddress, feedAddressOf, removeFeedAddress, saveFeedAddress } from './feed-address-store.ts'

/** Returns when the address of an account's feed was made and last used; undefined without one. */
export const findFeedAddress = (sql: Sql, accountId: string): Promise<FeedAddress | undefined> =>
  feedAddressOf(sql, accountId)

/** Makes a private address for an account's feed, in place of the one it had. Returns its token, which is stored nowhere. */
export async function createFeedAddress(sql: Sql, accountId: string): Promise<string> {
  const token = newToken()
  await sql.begin(async (tx) => {
    await saveFeedAddress(tx, accountId, token)
    await recordAction(tx, 'feed_created', { accountId })
  })
  return token
}

/** Ends the address of an account's feed. Without one there is nothing to do. */
export async function deleteFeedAddress(sql: Sql, accountId: string): Promise<void> {
  await sql.begin(async (tx) => {
    if (await removeFeedAddress(tx, accountId)) await recordAction(tx, 'feed_deleted', { accountId })
  })
}
