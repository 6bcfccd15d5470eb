import { databaseNow } from '../../catalog/clock/clock-store.ts'
import type { FeedItem } from '../../events/feed-schema.ts'
import { momentsWithEvents } from '../../events/store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type ChangeFilter, type ChangePlace, feedItemsOf, inOneOrder, momentOf } from './recorded-changes-rules.ts'
import { begunPrices, endedPrices } from './recorded-changes-store.ts'

/** Prices that began, and as many that ended, are read at a time. */
const READ_AT_ONCE = 200
/** Where most of what is read is not wanted, an answer ends after this many times. */
const MOST_READS = 10
const PAGE_ITEMS = 100

/**
 * Returns changes that no event tells, computed from the price history, the newest first: those of imported history, and
 * those whose events were deleted. `next`: where they go on. Without `before`, those until now.
 */
export async function readRecordedChanges(
  sql: Sql,
  { before: until, ...given }: Omit<ChangeFilter, 'before'> & { before?: Instant },
): Promise<{ items: FeedItem[]; next?: ChangePlace }> {
  const filter = { ...given, before: until ?? (await databaseNow(sql)) }
  const items: FeedItem[] = []
  let after = filter.after
  for (let read = 0; read < MOST_READS && items.length < PAGE_ITEMS; read++) {
    const from = { ...filter, ...(after && { after }) }
    const lists = [await begunPrices(sql, from, READ_AT_ONCE), await endedPrices(sql, from, READ_AT_ONCE)]
    const { changes, next } = inOneOrder(lists, READ_AT_ONCE)
    const reported = await momentsWithEvents(sql, changes)
    items.push(...feedItemsOf(changes, new Set(reported.map(momentOf)), filter))
    after = next
    if (!next) return { items }
  }
  return { items, ...(after && { next: after }) }
}
