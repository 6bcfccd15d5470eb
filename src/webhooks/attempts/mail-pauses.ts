import { DAY, type Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import type { MailContent, WaitingMail } from '../../mail/schema.ts'
import { writeFacts } from '../../mail/write-mails.ts'
import { pauseMailOf } from './pause-mail-rules.ts'
import { adminsOf, type Pause, pauseMail } from './pause-mail-store.ts'

/** What was due since is not kept for longer. */
const VALID_MS = 30 * DAY

/** Mails each admin of a webhook's workspace about its pause, in the transaction that pauses it. */
export async function mailPause(tx: Tx, webhookId: string, pausedAt: Instant): Promise<void> {
  const facts: Pause = { webhookId, pausedAt }
  const admins = await adminsOf(tx, webhookId)
  await writeFacts(
    tx,
    admins.map((accountId) => ({ kind: 'webhook_paused', accountId, facts, validMs: VALID_MS })),
  )
}

/** Returns what a mail about a pause says; undefined when it no longer holds. */
export async function composePauseMail(sql: Sql, origin: string, mail: WaitingMail): Promise<MailContent | undefined> {
  const pause = await pauseMail(sql, mail.accountId!, mail.facts as Pause)
  return pause && pauseMailOf(pause, origin)
}
