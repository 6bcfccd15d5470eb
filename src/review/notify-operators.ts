import { createHash } from 'node:crypto'
import { DAY, type Instant, plus } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Sql } from '../lib/sql.ts'
import { describeItems, type OpenItem, openItems } from './find-items.ts'
import { MOST_ITEMS, noticeOf } from './notice-rules.ts'
import { forgetNotices, notifiedItems, recordNotice } from './notice-store.ts'
import type { ReviewNotice } from './schema.ts'

/** Operators are notified of what has waited so long: time alone does not end it. */
const NOTIFY_AFTER_MS = DAY
const ALL = 100_000

/** A way to reach operators. */
export type NoticeChannel = {
  /** A stable name: a notice that arrived is not sent there again. */
  name: string
  /** @throws Error saying why the notice did not arrive */
  send(notice: ReviewNotice, noticeId: string): Promise<void>
}

type Tools = { sql: Sql; log: Log; channels: NoticeChannel[] }

/** The notices that did not arrive, a sentence each. */
type NotifyReport = { notified: number; problems: string[] }

/**
 * Notifies operators once of each item, of prices or documents, that has waited a day: in the log, and through every
 * channel. A channel that fails is reported and holds up no other; the notice is sent there again at the next call.
 */
export async function notifyOperators({ sql, log, channels }: Tools, now: Instant): Promise<NotifyReport> {
  const waiting = await openItems(sql, { openedBefore: plus(now, -NOTIFY_AFTER_MS) }, ALL)
  await forgetNotices(sql, idsOf(waiting))
  const report: NotifyReport = { notified: 0, problems: [] }
  if (waiting.length === 0) return report
  const results = await Promise.all([logChannel(log), ...channels].map((channel) => notify(sql, channel, waiting, now)))
  for (const { notified, problem } of results) {
    report.notified = Math.max(report.notified, notified)
    if (problem) report.problems.push(problem)
  }
  return report
}

/** Sends one notice of the items that a channel was not notified of. */
async function notify(sql: Sql, { name, send }: NoticeChannel, waiting: OpenItem[], now: Instant) {
  const notified = await notifiedItems(sql, name)
  const fresh = waiting.filter(({ id }) => !notified.has(id))
  if (fresh.length === 0) return { notified: 0 }
  const items = await describeItems(sql, fresh.slice(0, MOST_ITEMS))
  try {
    // The same items are the same notice: an attempt whose end was not recorded is repeated under the same id.
    const noticeId = createHash('sha256').update(idsOf(fresh).sort().join()).digest('hex')
    await send(noticeOf(items, { waiting: waiting.length, notified: fresh.length }), noticeId)
  } catch (error) {
    const { message } = error as Error
    return { notified: 0, problem: `${name} did not get the notice of ${fresh.length} review items: ${message}` }
  }
  await recordNotice(sql, name, idsOf(fresh), now)
  return { notified: fresh.length }
}

const idsOf = (items: OpenItem[]): string[] => items.map(({ id }) => id)

const logChannel = (log: Log): NoticeChannel => ({
  name: 'log',
  async send({ notified, items, command }) {
    log.warn({ items: notified, oldest: items[0] }, `${notified} review items wait longer than a day: ${command}`)
  },
})
