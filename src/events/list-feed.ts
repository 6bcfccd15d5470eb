import type { Sql } from '../lib/sql.ts'
import { feedItemOf } from './feed-rules.ts'
import type { FeedFilter, FeedItem } from './feed-schema.ts'
import { feedEvents, feedPage } from './feed-store.ts'

export type { FeedFilter, FeedItem } from './feed-schema.ts'

/** Returns a page of changes, the newest first, and where the next page begins. */
export async function listFeed(sql: Sql, filter: FeedFilter): Promise<{ items: FeedItem[]; next?: string }> {
  const found = await feedPage(sql, { ...filter, limit: filter.limit + 1 })
  const page = found.slice(0, filter.limit)
  return { items: page.map(feedItemOf), next: found.length > page.length ? page.at(-1)?.seq : undefined }
}

/** Returns the changes of these numbers that are still kept, in the order in which they were published. */
export const changesOf = async (sql: Sql, seqs: string[]): Promise<FeedItem[]> =>
  (await feedEvents(sql, seqs)).map(feedItemOf)
