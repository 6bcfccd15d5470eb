import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { MINUTE, plus } from '../../lib/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { Sql } from '../../lib/sql.ts'
import { type PersonalMail, pauseMailOf } from '../attempts/pause-mail-rules.ts'
import {
  claimPauseMails,
  dropOutdatedMails,
  finishPauseMail,
  type PauseMail,
  releasePauseMail,
} from '../attempts/pause-mail-store.ts'

/** Mails that one call sends: the rest goes with the next. */
const MAILS_AT_ONCE = 20
/** A sender that stopped gives its mails back after this long: longer than a call may take. */
const CLAIM_MS = 4 * MINUTE

type Tools = {
  sql: Sql
  log: Log
  /** The address of the app, without a slash at its end. */
  origin: string
  /** Absent where no mail server is set: then the log says what was paused. */
  send?: (mail: PersonalMail) => Promise<void>
}

/** The mails that did not arrive, a sentence each. */
type MailReport = { mailed: number; problems: string[] }

/**
 * Mails the admins of a workspace once about each webhook that failures have paused. A mail that does not arrive is sent
 * again by the next call, until the webhook is resumed. Calls at the same time send different mails. A sender that dies
 * between the server's answer and the record of it leaves a mail that is sent again, with the same Message-ID.
 */
export async function mailPauses({ sql, log, origin, send }: Tools): Promise<MailReport> {
  await dropOutdatedMails(sql)
  const mails = await claimPauseMails(sql, plus(await databaseNow(sql), CLAIM_MS), MAILS_AT_ONCE)
  const problems = (await Promise.all(mails.map(deliver))).filter((problem) => problem !== undefined)
  return { mailed: mails.length - problems.length, problems }

  async function deliver(mail: PauseMail): Promise<string | undefined> {
    const { webhookId, reason } = mail
    if (!send) log.warn({ webhookId }, `a webhook was paused, and no mail server is set: ${reason}`)
    try {
      await send?.(pauseMailOf(mail, origin))
      await finishPauseMail(sql, mail)
      return undefined
    } catch (error) {
      const { message, permanent } = error as Error & { permanent?: boolean }
      await (permanent ? finishPauseMail(sql, mail) : releasePauseMail(sql, mail))
      return `An admin was not mailed about the paused webhook ${webhookId}: ${message}`
    }
  }
}
