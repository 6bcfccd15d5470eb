import { DAY, type Instant } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import type { MailKind } from '../lib/text/mail-subjects.ts'
import type { MailContent, WaitingMail } from '../mail/schema.ts'
import { writeFacts } from '../mail/write-mails.ts'
import { mailOf } from './notice-rules.ts'
import { REVIEW_ITEMS, SOURCES, type Subject } from './notice-subjects.ts'
import type { ReviewNotice, SourceNotice } from './schema.ts'

/** Items and sources change; a mail about them is given up after this. */
const MAIL_VALID_MS = 7 * DAY

type Notice = ReviewNotice | SourceNotice

/** A way to reach operators. */
export type NoticeChannel = {
  /** A stable name: a notice that arrived is not sent there again. */
  name: string
  /** @throws Error saying why the notice did not arrive */
  send?(notice: Notice): Promise<void>
  /** Writes a mail, in the transaction that records it. Returns whether it did: while one waits, another is not written. */
  write?(tx: Tx, kind: MailKind, keys: string[]): Promise<boolean>
}

type Tools = { sql: Sql; log: Log; channels: NoticeChannel[] }

/** The notices that did not arrive, a sentence each. */
type NotifyReport = { notified: number; problems: string[] }

/**
 * Notifies operators once of each item, of prices or documents, that has waited a day, at once of a document whose selectors find
 * nothing, and of each source that could not be read for a day: in the log, and through every channel. A channel that fails is
 * reported and holds up no other; the notice is sent there again at the next call. A mail is written here and sent with the others.
 */
export async function notifyOperators(tools: Tools, now: Instant): Promise<NotifyReport> {
  const reports = [await notifyAll(tools, REVIEW_ITEMS, now), await notifyAll(tools, SOURCES, now)]
  return {
    notified: reports.reduce((sum, { notified }) => sum + notified, 0),
    problems: reports.flatMap(({ problems }) => problems),
  }
}

/** Sends one notice through every channel. The report counts what was new to any of them. */
async function notifyAll<T>({ sql, log, channels }: Tools, subject: Subject<T>, now: Instant): Promise<NotifyReport> {
  const waiting = await subject.waiting(sql, now)
  await subject.forgetOthers(sql, waiting.map(subject.keyOf))
  if (waiting.length === 0) return { notified: 0, problems: [] }
  const results = await Promise.all(
    [logChannel(log), ...channels].map((channel) => notify(sql, channel, subject, { waiting, now })),
  )
  return {
    notified: Math.max(...results.map(({ notified }) => notified)),
    problems: results.flatMap(({ problem }) => problem ?? []),
  }
}

/** Sends one notice of what a channel was not notified of. */
async function notify<T>(
  sql: Sql,
  channel: NoticeChannel,
  { kind, what, keyOf, noticeOf, notified, record }: Subject<T>,
  { waiting, now }: { waiting: T[]; now: Instant },
) {
  const { name } = channel
  const before = await notified(sql, name)
  const fresh = waiting.filter((one) => !before.has(keyOf(one)))
  if (fresh.length === 0) return { notified: 0 }
  const keys = fresh.map(keyOf)
  try {
    await channel.send?.(await noticeOf(sql, fresh, waiting.length))
  } catch (error) {
    const { message } = error as Error
    return { notified: 0, problem: `${name} did not get the notice of ${fresh.length} ${what}: ${message}` }
  }
  return sql.begin(async (tx) => {
    if (channel.write && !(await channel.write(tx, kind, keys))) return { notified: 0 }
    await record(tx, name, keys, now)
    return { notified: fresh.length }
  })
}

/** Mails an operator. */
export const mailChannel = (to: string): NoticeChannel => ({
  name: to,
  write: async (tx, kind, keys) => (await writeFacts(tx, [{ kind, to, facts: { keys }, validMs: MAIL_VALID_MS }])) > 0,
})

/** Returns what a mail to an operator says; undefined when nothing that it is about still waits. */
export const composeNotice = (sql: Sql, mail: WaitingMail, now: Instant): Promise<MailContent | undefined> =>
  mail.kind === 'review' ? compose(sql, REVIEW_ITEMS, mail, now) : compose(sql, SOURCES, mail, now)

async function compose<T>(sql: Sql, subject: Subject<T>, { to, facts }: WaitingMail, now: Instant) {
  const keys = new Set((facts as { keys: string[] }).keys)
  const waiting = await subject.waiting(sql, now)
  const named = waiting.filter((one) => keys.has(subject.keyOf(one)))
  if (named.length === 0) return undefined
  return { to: to!, text: mailOf(await subject.noticeOf(sql, named, waiting.length)) }
}

const logChannel = (log: Log): NoticeChannel => ({
  name: 'log',
  async send(notice) {
    const { notified, command } = notice
    if (notice.type === 'review.waiting')
      log.warn(
        { items: notified, oldest: notice.items[0] },
        `review items that have waited longer than a day: ${notified}; see ${command}`,
      )
    else
      log.warn(
        { sources: notified, oldest: notice.sources[0] },
        `sources that could not be read for a day: ${notified}; see ${command}`,
      )
  },
})
