import { newToken } from '../accounts/new-token.ts'
import { changesOf } from '../events/list-feed.ts'
import { epochMs } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { insertLink } from './link-store.ts'
import { watchMail } from './mail-rules.ts'
import { claimMails, deleteMail, providerNames, recordSent, type WaitingMail } from './mail-store.ts'
import { GIVE_UP_AFTER_MS } from './watch-rules.ts'

/** Mails that are sent at the same time. */
const SENT_AT_ONCE = 20

type Mail = ReturnType<typeof watchMail>
type Tools = {
  sql: Sql
  /** The address of the app, without a slash at its end. */
  origin: string
  send: (mail: Mail) => Promise<void>
}

/** How many mails the mail server took, and why it took no others. */
export type SendReport = { sent: number; problems: string[] }

/**
 * Sends the mails that wait, until none is due, the mail server takes none, or `isOver`. One that does not arrive is sent again by a
 * later call. A sender that dies between the server's answer and the record of it leaves a mail that is sent again, with the same
 * Message-ID.
 */
export async function sendMails(tools: Tools, isOver: (sent: number) => boolean): Promise<SendReport> {
  const report: SendReport = { sent: 0, problems: [] }
  while (!isOver(report.sent)) {
    const mails = await claimMails(tools.sql, SENT_AT_ONCE)
    const results = await Promise.all(mails.map((mail) => deliver(tools, mail)))
    const problems = results.filter((result) => typeof result === 'string')
    report.sent += results.filter((result) => result === true).length
    report.problems = [...new Set([...report.problems, ...problems])]
    if (problems.length === mails.length) return report
  }
  return report
}

/** Returns whether there was something to send, or what went wrong. */
async function deliver(tools: Tools, waiting: WaitingMail): Promise<boolean | string> {
  try {
    const mail = await compose(tools, waiting)
    if (!mail) {
      await deleteMail(tools.sql, waiting.mailId)
      return false
    }
    await tools.send(mail)
    await recordSent(tools.sql, waiting.mailId)
    return true
  } catch (error) {
    const { message, permanent } = error as Error & { permanent?: boolean }
    const isOld = Date.now() - epochMs(waiting.createdAt) > GIVE_UP_AFTER_MS
    if (permanent || isOld) await deleteMail(tools.sql, waiting.mailId)
    return message
  }
}

/** Returns a mail with a link of its own; undefined when no one wants it any more, or its events are gone. */
async function compose({ sql, origin }: Tools, waiting: WaitingMail): Promise<Mail | undefined> {
  const { email, accountId, frequency } = waiting
  if (email === null) return undefined
  const shown = await Promise.all(
    waiting.parts.map(async (part) => ({ ...part, items: await changesOf(sql, part.seqs) })),
  )
  const parts = shown.filter(({ items }) => items.length > 0)
  if (parts.length === 0) return undefined
  const names = await providerNames(sql, [
    ...new Set(parts.flatMap(({ items }) => items.map(({ provider }) => provider))),
  ])
  const token = newToken()
  const ends = frequency === 'at_once' ? { watchId: parts[0]!.watchId, frequency: null } : { watchId: null, frequency }
  await insertLink(sql, token, { accountId, ...ends })
  const unsubscribe = `${origin}/unsubscribe/${token}`
  return watchMail({ ...waiting, email, parts }, { origin, unsubscribe, sellerOf: (slug) => names.get(slug) ?? slug })
}
