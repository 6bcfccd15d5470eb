import type { Log } from '../lib/log.ts'
import { unseal } from '../lib/seal.ts'
import type { Sql } from '../lib/sql.ts'
import { MAIL_SUBJECTS } from '../lib/text/mail-subjects.ts'
import { sealContext } from './outbox-rules.ts'
import { claimMails, deleteMail, endMail, recordProblem } from './outbox-store.ts'
import type { ComposeMail, MailContent, Mailer, WaitingMail } from './schema.ts'

/** Mails that are sent at the same time. */
const SENT_AT_ONCE = 20

export type SendTools = {
  sql: Sql
  log: Log
  secretKey: Uint8Array
  mailer: Pick<Mailer, 'sendMail'>
  /** Absent where only sealed texts are sent. */
  compose?: ComposeMail
}

/** How many mails the mail server took, and why it took no others. */
type SendReport = { sent: number; problems: string[] }

/**
 * Sends the mails that wait, until none is due, the mail server takes none, or `isOver`. One that does not arrive is sent again by a
 * later call. A sender that dies between the server's answer and the record of it leaves a mail that is sent again, with the same
 * Message-ID.
 */
export async function sendMails(
  tools: SendTools,
  isOver: (sent: number) => boolean = () => false,
): Promise<SendReport> {
  const report: SendReport = { sent: 0, problems: [] }
  while (!isOver(report.sent)) {
    const mails = await claimMails(tools.sql, { limit: SENT_AT_ONCE })
    const results = await Promise.all(mails.map((mail) => deliver(tools, mail)))
    const problems = results.filter((result) => typeof result === 'string')
    report.sent += results.filter((result) => result === true).length
    report.problems = [...new Set([...report.problems, ...problems])]
    if (problems.length === mails.length) return report
  }
  return report
}

/** Sends one mail, unless someone else does. */
export async function sendMail(tools: SendTools, mailId: string): Promise<void> {
  for (const mail of await claimMails(tools.sql, { limit: 1, mailId })) await deliver(tools, mail)
}

/** Returns whether there was something to send, or what went wrong. */
async function deliver(tools: SendTools, mail: WaitingMail): Promise<boolean | string> {
  const { sql, log, mailer } = tools
  const { mailId, kind } = mail
  try {
    const content = await contentOf(tools, mail)
    if (!content) {
      await deleteMail(sql, mailId)
      return false
    }
    await mailer.sendMail({ ...content, id: mailId, subject: MAIL_SUBJECTS[kind] })
    await endMail(sql, mailId, 'sent')
    return true
  } catch (error) {
    const { message, permanent } = error as Error & { permanent?: boolean }
    log.warn({ mailId, kind, permanent }, `"${MAIL_SUBJECTS[kind]}" could not be mailed: ${message}`)
    await (permanent ? endMail(sql, mailId, 'refused', message) : recordProblem(sql, mailId, message))
    return message
  }
}

async function contentOf({ secretKey, compose }: SendTools, mail: WaitingMail): Promise<MailContent | undefined> {
  const { sealed, to } = mail
  if (sealed) return { to: to!, text: unseal(secretKey, sealed, sealContext(mail)) }
  return compose?.(mail)
}
