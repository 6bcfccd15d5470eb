import { randomUUID } from 'node:crypto'
import { MINUTE } from '../../lib/instant.ts'
import { seal, unseal } from '../../lib/seal.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import type { Notice } from './account-mail.ts'
import { claimKeptMails, contextOf, deleteKeptMail, forgetKeptMail, insertKeptMail } from './kept-mail-store.ts'
import type { MailText } from './mail-rules.ts'

type AccountMessage = MailText & { to: string }
type Message = Omit<AccountMessage, 'validMs'> & { id: string }
type Send = (mail: Message) => Promise<void>

/** Mails sent again in one check. */
const MOST_MAILS = 50

/**
 * Sends a mail. One that the mail server does not take now is kept, sealed, and sent again by the next checks until its
 * link has expired. @throws what the mail server said: the mail may be kept all the same
 */
export async function sendOrKeepMail(
  { sql, secretKey, send }: { sql: Sql; secretKey: Uint8Array | undefined; send: Send },
  { validMs, ...message }: AccountMessage,
): Promise<void> {
  const mail = { ...message, id: randomUUID() }
  try {
    await send(mail)
    await forgetKeptMail(sql, mail)
  } catch (error) {
    if (isPermanent(error) || !secretKey) throw error
    await keepMail(sql, secretKey, { ...mail, validMs })
    throw new Error(`${(error as Error).message} It is kept, and sent again with the next check.`, { cause: error })
  }
}

/** Who keeps a notice sends it itself; a check that finds it after this sends it in its place. */
const SENDS_WITHIN_MS = MINUTE

/** Keeps a mail, sealed, until a check sends it: not before `waitMs` have passed. */
export async function keepMail(
  db: Db,
  secretKey: Uint8Array,
  { text, ...mail }: AccountMessage & { id: string },
  waitMs = 0,
): Promise<void> {
  const { sealed } = seal(secretKey, text, contextOf(mail))
  await insertKeptMail(db, { ...mail, sealed, waitMs })
}

/** The outbox of notices for a process that can send mail itself. */
export const createNotices = (sql: Sql, secretKey: Uint8Array | undefined, send: Send) => ({
  keep: async (tx: Tx, notice: Notice): Promise<void> => {
    // Without the key nothing can be kept: then it is sent once.
    if (secretKey) await keepMail(tx, secretKey, notice, SENDS_WITHIN_MS)
  },
  send: async ({ validMs: _, ...notice }: Notice): Promise<void> => {
    try {
      await send(notice)
      await deleteKeptMail(sql, notice.id)
    } catch (error) {
      if (isPermanent(error)) await deleteKeptMail(sql, notice.id)
      throw error
    }
  },
})

/** Sends the mails that were kept. Returns how many the mail server took, and why it took no others. */
export async function sendKeptMails({
  sql,
  secretKey,
  send,
}: {
  sql: Sql
  secretKey: Uint8Array
  send: Send
}): Promise<{ sent: number; problems: string[] }> {
  const problems = new Set<string>()
  let sent = 0
  for (const { mailId, to, subject, sealed } of await claimKeptMails(sql, MOST_MAILS)) {
    try {
      const text = unseal(secretKey, sealed, contextOf({ to, subject }))
      await send({ id: mailId, to, subject, text })
      sent++
      await deleteKeptMail(sql, mailId)
    } catch (error) {
      problems.add((error as Error).message)
      if (isPermanent(error)) await deleteKeptMail(sql, mailId)
    }
  }
  return { sent, problems: [...problems] }
}

const isPermanent = (error: unknown): boolean => (error as { permanent?: boolean }).permanent === true
