import type { Db, Tx } from '../../../lib/sql.ts'

/** `subject`: the slot in which the mail is kept, see `slotOf`. */
type MailName = { to: string; subject: string }
export type KeptMail = MailName & { mailId: string; sealed: Uint8Array }

/** A process that died while it sent mails leaves them to the next check after this. */
const CLAIMED_FOR_MS = 4 * 60_000

/** A sealed mail opens only for its address and subject. */
export const contextOf = ({ to, subject }: MailName): string => `mail/${to}/${subject}`

/** `waitMs`: how long the checks leave it to who has just kept it. */
type NewMail = { id: string; sealed: Uint8Array; validMs: number; waitMs?: number }

/** Keeps a mail until it is sent or its link has expired. One of its kind to the same address takes its place. */
export async function insertKeptMail(
  db: Db,
  { id, to, subject, sealed, validMs, waitMs = 0 }: MailName & NewMail,
): Promise<void> {
  await db`
    insert into account_mail (mail_id, to_address, subject, sealed, expires_at, next_try_at)
    values (${id}, ${to}, ${subject}, ${sealed}, clock_timestamp() + ${`${validMs} ms`}::interval,
            clock_timestamp() + ${`${waitMs} ms`}::interval)
    on conflict (to_address, subject) do update
    set mail_id = excluded.mail_id, sealed = excluded.sealed, expires_at = excluded.expires_at, next_try_at = excluded.next_try_at`
}

/** Forgets what is kept of this kind for this address: a newer one was sent. */
export async function forgetKeptMail(db: Db, { to, subject }: MailName): Promise<void> {
  await db`delete from account_mail where to_address = ${to} and subject = ${subject}`
}

/** Claims mails that are due. Each is claimed once in four minutes. */
export async function claimKeptMails(db: Db, limit: number): Promise<KeptMail[]> {
  return [
    ...(await db<KeptMail[]>`
      update account_mail set next_try_at = clock_timestamp() + ${`${CLAIMED_FOR_MS} ms`}::interval
      where mail_id in (
        select mail_id from account_mail
        where next_try_at <= clock_timestamp() and expires_at > clock_timestamp()
        order by next_try_at limit ${limit} for update skip locked)
      returning mail_id as "mailId", to_address as to, subject, sealed`),
  ]
}

export async function deleteKeptMail(db: Db, mailId: string): Promise<void> {
  await db`delete from account_mail where mail_id = ${mailId}`
}

/** Returns how many mails had a link that has expired. */
export async function deleteExpiredMails(db: Db): Promise<number> {
  return (await db`delete from account_mail where expires_at <= clock_timestamp()`).count
}

/** Locks every mail that is kept, so that none is sent meanwhile. */
export const lockKeptMails = (tx: Tx): Promise<KeptMail[]> =>
  tx<KeptMail[]>`
    select mail_id as "mailId", to_address as to, subject, sealed from account_mail order by mail_id for update`

export async function replaceSealed(tx: Tx, mailId: string, sealed: Uint8Array): Promise<void> {
  await tx`update account_mail set sealed = ${sealed} where mail_id = ${mailId}`
}
