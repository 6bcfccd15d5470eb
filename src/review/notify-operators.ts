import { createHash } from 'node:crypto'
import { failingSources } from '../catalog/sources/source-store.ts'
import { DAY, type Instant, plus } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Sql } from '../lib/sql.ts'
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

/** Operators are notified of what has waited this long: time alone does not end it. */
const NOTIFY_AFTER_MS = DAY
const ALL = 100_000

/** A way to reach operators. */
export type NoticeChannel = {
  /** A stable name: a notice that arrived is not sent there again. */
  name: string
  /** @throws Error saying why the notice did not arrive */
  send(notice: ReviewNotice | SourceNotice, noticeId: string): Promise<void>
}

type Tools = { sql: Sql; log: Log; channels: NoticeChannel[] }

/** The notices that did not arrive, a sentence each. */
type NotifyReport = { notified: number; problems: string[] }

/** Something that operators are notified of once. */
type Subject<T> = {
  what: string
  waiting: T[]
  keyOf: (one: T) => string
  notified: (channel: string) => Promise<Set<string>>
  noticeOf: (fresh: T[]) => Promise<ReviewNotice | SourceNotice>
  record: (channel: string, keys: string[]) => Promise<void>
}

/**
 * Notifies operators once of each item, of prices or documents, that has waited a day, at once of a document whose selectors find
 * nothing, and of each source that could not
 * be read for a day: in the log, and through every channel. A channel that fails is reported and holds up no other; the
 * notice is sent there again at the next call.
 */
export async function notifyOperators(tools: Tools, now: Instant): Promise<NotifyReport> {
  const { sql } = tools
  const before = plus(now, -NOTIFY_AFTER_MS)
  const items = [...(await openItems(sql, { openedBefore: before }, ALL)), ...(await blindDocuments(sql, before))]
  const sources = await failingSources(sql, before)
  const itemIds = items.map(({ id }) => id)
  const names = sources.map(({ source }) => source)
  await forgetNotices(sql, itemIds)
  await forgetSourceNotices(sql, names)
  const reports = [
    await notifyAll(tools, {
      what: 'review items',
      waiting: items,
      keyOf: ({ id }) => id,
      notified: (channel) => notifiedItems(sql, channel),
      noticeOf: async (fresh) =>
        noticeOf(await describeItems(sql, fresh.slice(0, MOST_ITEMS)), {
          waiting: items.length,
          notified: fresh.length,
        }),
      record: (channel, ids) => recordNotice(sql, channel, ids, now),
    }),
    await notifyAll(tools, {
      what: 'failing sources',
      waiting: sources,
      keyOf: ({ source }) => source,
      notified: (channel) => notifiedSources(sql, channel),
      noticeOf: async (fresh) => sourceNoticeOf(fresh, sources.length),
      record: (channel, names) => recordSourceNotice(sql, channel, names, now),
    }),
  ]
  return {
    notified: reports.reduce((sum, { notified }) => sum + notified, 0),
    problems: reports.flatMap(({ problems }) => problems),
  }
}

/** Sends one notice through every channel. The report counts what was new to any of them. */
async function notifyAll<T>({ log, channels }: Tools, subject: Subject<T>): Promise<NotifyReport> {
  if (subject.waiting.length === 0) return { notified: 0, problems: [] }
  const results = await Promise.all([logChannel(log), ...channels].map((channel) => notify(channel, subject)))
  return {
    notified: Math.max(...results.map(({ notified }) => notified)),
    problems: results.flatMap(({ problem }) => problem ?? []),
  }
}

/** Sends one notice of what a channel was not notified of. */
async function notify<T>({ name, send }: NoticeChannel, { what, waiting, keyOf, ...subject }: Subject<T>) {
  const notified = await subject.notified(name)
  const fresh = waiting.filter((one) => !notified.has(keyOf(one)))
  if (fresh.length === 0) return { notified: 0 }
  const keys = fresh.map(keyOf)
  try {
    // The same items are the same notice: an attempt whose end was not recorded is repeated under the same id.
    const noticeId = createHash('sha256').update(keys.toSorted().join()).digest('hex')
    await send(await subject.noticeOf(fresh), noticeId)
  } catch (error) {
    const { message } = error as Error
    return { notified: 0, problem: `${name} did not get the notice of ${fresh.length} ${what}: ${message}` }
  }
  await subject.record(name, keys)
  return { notified: fresh.length }
}

const logChannel = (log: Log): NoticeChannel => ({
  name: 'log',
  async send(notice) {
    const { notified, command } = notice
    if (notice.type === 'review.waiting')
      log.warn(
        { items: notified, oldest: notice.items[0] },
        `${notified} review items wait longer than a day: ${command}`,
      )
    else
      log.warn(
        { sources: notified, oldest: notice.sources[0] },
        `${notified} sources could not be read for a day: ${command}`,
      )
  },
})
