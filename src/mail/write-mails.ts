import { sha256 } from '../lib/hash.ts'
import { v7 } from '../lib/ids.ts'
import { seal } from '../lib/seal.ts'
import type { Db } from '../lib/sql.ts'
import { MAIL_SUBJECTS } from '../lib/text/mail-subjects.ts'
import { sealContext } from './outbox-rules.ts'
import { insertMails } from './outbox-store.ts'
import type { FactMail, TextMail } from './schema.ts'

const SLOT_DIGITS = 16

/** A text waits under its subject, and under what it is about where there may be several. */
const slotOf = ({ kind, about }: Pick<TextMail, 'kind' | 'about'>): string =>
  about ? `${MAIL_SUBJECTS[kind]} #${sha256(about).slice(0, SLOT_DIGITS)}` : MAIL_SUBJECTS[kind]

/**
 * Writes a mail into the outbox, in the transaction of what it is about; its text is sealed. Returns its id.
 * @param waitMs how long the checks leave it to who has written it
 */
export async function writeText(
  db: Db,
  key: Uint8Array,
  { text, about, ...mail }: TextMail,
  waitMs = 0,
): Promise<string> {
  const mailId = v7()
  const slot = slotOf({ kind: mail.kind, about })
  const { sealed } = seal(key, text, sealContext({ to: mail.to, slot }))
  await insertMails(db, [{ ...mail, mailId, slot, sealed: sealed.toString('base64'), waitMs }])
  return mailId
}

/** Writes mails that are put in words when they are sent. Returns how many: one to an address waits while another of its kind does. */
export async function writeFacts(db: Db, mails: FactMail[]): Promise<number> {
  if (mails.length === 0) return 0
  const rows = mails.map((mail) => ({ ...mail, mailId: v7(), ...('to' in mail && { slot: mail.kind }) }))
  return (await insertMails(db, rows)).length
}
