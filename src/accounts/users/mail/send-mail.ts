import { randomUUID } from 'node:crypto'
import { sha256 } from '../../../lib/hash.ts'
import { MINUTE } from '../../../lib/instant.ts'
import { seal, unseal } from '../../../lib/seal.ts'
import type { Db, Sql, Tx } from '../../../lib/sql.ts'
import { MAIL_SUBJECTS, type MailSubject } from '../../../lib/text/mail-subjects.ts'
import type { Notice } from './account-mail.ts'
import { claimKeptMails, contextOf, deleteKeptMail, forgetKeptMail, insertKeptMail } from './kept-mail-store.ts'
import type { MailText } from './mail-rules.ts'

type AccountMessage = MailText & { to: string }
type Message = Omit<AccountMessage, 'validMs' | 'about'> & { id: string }
type Send = (mail: Message) => Promise<void>

/** Mails sent again in one check. */
const MOST_MAILS = 50

/**
 * Sends a mail. One that the mail server does not take now is kept, sealed, and sent again by the next checks until its
 * link has expired. @throws what the mail server said: the mail may be kept all the same
 */
export async function sendOrKeepMail(
  { sql, secretKey, send }: { sql: Sql; secretKey: Uint8Array | undefined; send: Send },
  { validMs, about, ...message }: AccountMessage,
): Promise<void> {
  const mail = { ...message, id: randomUUID() }
  try {
    await send(mail)
    await forgetKeptMail(sql, { to: mail.to, subject: slotOf({ ...mail, about }) })
  } catch (error) {
    if (isPermanent(error) || !secretKey) throw error
    await keepMail(sql, secretKey, { ...mail, validMs, about })
    throw new Error(`${(error as Error).message} It is kept, and sent again with the next check.`, { cause: error })
  }
}

/** Who keeps a notice sends it itself; a check that finds it after this sends it in its place. */
const SENDS_WITHIN_MS = MINUTE

/** Keeps a mail, sealed, until a check sends it: not before `waitMs` have passed. */
export async function keepMail(
  db: Db,
  secretKey: Uint8Array,
  { text, about, ...mail }: AccountMessage & { id: string },
  waitMs = 0,
): Promise<void> {
  const kept = { ...mail, subject: slotOf({ ...mail, about }) }
  const { sealed } = seal(secretKey, text, contextOf(kept))
  await insertKeptMail(db, { ...kept, sealed, waitMs })
}

/** The outbox of notices for a process that can send mail itself. */
export const createNotices = (sql: Sql, secretKey: Uint8Array | undefined, send: Send) => ({
  keep: async (tx: Tx, notice: Notice): Promise<void> => {
    // Without the key nothing can be kept: then it is sent once.
    if (secretKey) await keepMail(tx, secretKey, notice, SENDS_WITHIN_MS)
  },
  send: async ({ validMs: _, about: __, ...notice }: Notice): Promise<void> => {
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
  for (const { mailId, to, subject: slot, sealed } of await claimKeptMails(sql, MOST_MAILS)) {
    try {
      const text = unseal(secretKey, sealed, contextOf({ to, subject: slot }))
      await send({ id: mailId, to, subject: subjectIn(slot), text })
      sent++
      await deleteKeptMail(sql, mailId)
    } catch (error) {
      problems.add((error as Error).message)
      if (isPermanent(error)) await deleteKeptMail(sql, mailId)
    }
  }
  return { sent, problems: [...problems] }
}

/** A mail is kept under its subject, and under what it is about where there may be several. */
const SLOT_DIGITS = 16
const slotOf = ({ subject, about }: Pick<MailText, 'subject' | 'about'>): string =>
  about ? `${subject} #${sha256(about).slice(0, SLOT_DIGITS)}` : subject

/** Mails that the version before kept had names in their subjects. */
function subjectIn(slot: string): MailSubject {
  const subjects: MailSubject[] = Object.values(MAIL_SUBJECTS)
  return subjects.find((subject) => slot.replace(/ #[0-9a-f]+$/, '') === subject) ?? OF_BEFORE(slot)
}
const OF_BEFORE = (slot: string): MailSubject =>
  slot.includes('passkey was added')
    ? MAIL_SUBJECTS.passkey_added
    : slot.includes('passkey was removed')
      ? MAIL_SUBJECTS.passkey_removed
      : MAIL_SUBJECTS.invitation

const isPermanent = (error: unknown): boolean => (error as { permanent?: boolean }).permanent === true
