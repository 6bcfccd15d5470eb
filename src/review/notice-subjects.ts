import { type FailingSource, failingSources } from '../catalog/sources/source-store.ts'
import { DAY, type Instant, plus } from '../lib/instant.ts'
import type { Db, Sql, Tx } from '../lib/sql.ts'
import { LOOKS_LIKE, SELECTORS_FAIL } from '../terms/schema.ts'
import { describeItems, type OpenItem, openItems } from './find-in-queue.ts'
import { MOST_ITEMS, noticeOf, sourceNoticeOf } from './notice-rules.ts'
import {
  forgetNotices,
  forgetSourceNotices,
  notifiedItems,
  notifiedSources,
  recordNotice,
  recordSourceNotice,
} from './notice-store.ts'
import type { ReviewNotice, SourceNotice } from './schema.ts'

/** Operators are notified of what has waited this long: time alone does not end it. */
const NOTIFY_AFTER_MS = DAY
const ALL = 100_000

/** Something that operators are notified of once. */
export type Subject<T> = {
  /** The kind of its mails. */
  kind: 'review' | 'sources'
  what: string
  waiting: (sql: Sql, now: Instant) => Promise<T[]>
  keyOf: (one: T) => string
  noticeOf: (sql: Sql, fresh: T[], waiting: number) => Promise<ReviewNotice | SourceNotice>
  notified: (db: Db, channel: string) => Promise<Set<string>>
  record: (tx: Tx, channel: string, keys: string[], at: Instant) => Promise<void>
  /** Forgets what no longer waits. */
  forgetOthers: (db: Db, keys: string[]) => Promise<void>
}

export const REVIEW_ITEMS: Subject<OpenItem> = {
  kind: 'review',
  what: 'review items',
  waiting: async (sql, now) => {
    const before = plus(now, -NOTIFY_AFTER_MS)
    return [...(await openItems(sql, { openedBefore: before }, ALL)), ...(await blindDocuments(sql, before))]
  },
  keyOf: ({ id }) => id,
  noticeOf: async (sql, fresh, waiting) =>
    noticeOf(await describeItems(sql, fresh.slice(0, MOST_ITEMS)), { waiting, notified: fresh.length }),
  notified: notifiedItems,
  record: recordNotice,
  forgetOthers: forgetNotices,
}

export const SOURCES: Subject<FailingSource> = {
  kind: 'sources',
  what: 'failing sources',
  waiting: (sql, now) => failingSources(sql, plus(now, -NOTIFY_AFTER_MS)),
  keyOf: ({ source }) => source,
  noticeOf: async (_, fresh, waiting) => sourceNoticeOf(fresh, waiting),
  notified: notifiedSources,
  record: recordSourceNotice,
  forgetOthers: forgetSourceNotices,
}

/** Documents whose selectors find nothing: they stay unread until someone declares others, so nothing is gained by waiting. */
async function blindDocuments(sql: Sql, since: Instant): Promise<OpenItem[]> {
  const items = await openItems(sql, { kind: 'terms' }, ALL)
  return items.filter(
    (item) =>
      'document' in item &&
      item.openedAt > since &&
      item.document.reasons.some((reason) => reason.startsWith(`${LOOKS_LIKE}${SELECTORS_FAIL}`)),
  )
}
