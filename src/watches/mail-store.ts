import type { Instant } from '../lib/instant.ts'
import type { Db, Sql, Tx } from '../lib/sql.ts'
import type { Changes } from './change-store.ts'
import type { Frequency, WatchView } from './schema.ts'
import { watchColumns, watchedNames, watchSubjects } from './watch-store.ts'

/** Who sends a mail has this long; then another may. */
const CLAIMED_FOR_MS = 4 * 60_000

export type NewMail = { mailId: string; accountId: string; parts: Omit<Changes, 'accountId'>[] }

/** Keeps mails until they are sent. */
export async function insertMails(tx: Tx, frequency: Frequency, mails: NewMail[]): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map(({ mailId, accountId }) => ({ mailId, accountId }))
  const parts = mails.flatMap(({ mailId, parts }) => parts.map((part) => ({ mailId, ...part })))
  await tx`
    insert into watch_mail (mail_id, account_id, frequency, created_at, next_try_at)
    select "mailId", "accountId", ${frequency}, clock_timestamp(), clock_timestamp()
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as m ("mailId" uuid, "accountId" uuid)`
  await tx`
    insert into watch_mail_part (mail_id, watch_id, changes, seqs)
    select "mailId", "watchId", changes, seqs
    from jsonb_to_recordset(${tx.json(parts)}::jsonb)
      as p ("mailId" uuid, "watchId" uuid, changes integer, seqs bigint[])`
}

/** How many mails could be sent now. */
export async function countDueMails(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from watch_mail where next_try_at <= clock_timestamp() and sent_at is null`
  return row!.count
}

/** What a mail says of one watch. */
export type MailPart = WatchView & { changes: number; seqs: string[] }
/** A mail to send. */
export type WaitingMail = {
  mailId: string
  accountId: string
  frequency: Frequency
  createdAt: Instant
  /** Null where its account has no confirmed address, or is disabled. */
  email: string | null
  parts: MailPart[]
}

/** Claims mails that are due, the oldest first. Each is claimed once in four minutes. */
export async function claimMails(sql: Sql, limit: number): Promise<WaitingMail[]> {
  const mails = await sql<Omit<WaitingMail, 'parts'>[]>`
    with claimed as (
      update watch_mail set next_try_at = clock_timestamp() + ${`${CLAIMED_FOR_MS} ms`}::interval
      where mail_id = any(array(
        select mail_id from watch_mail where next_try_at <= clock_timestamp() and sent_at is null
        order by next_try_at limit ${limit} for update skip locked))
      returning *
    )
    select c.mail_id as "mailId", c.account_id as "accountId", c.frequency, c.created_at as "createdAt",
           case when a.disabled_at is null and a.email_verified_at is not null then a.email end as email
    from claimed c join account a using (account_id)`
  const parts = await partsOf(
    sql,
    mails.map(({ mailId }) => mailId),
  )
  return mails.map((mail) => ({ ...mail, parts: parts.filter(({ mailId }) => mailId === mail.mailId) }))
}

/** What mails say of watches that are not paused meanwhile. */
const partsOf = (sql: Sql, mailIds: string[]) => sql<(MailPart & { mailId: string })[]>`
  with recursive chosen as (
    select w.*, m.mail_id, m.changes, m.seqs from watch_mail_part m join watch w using (watch_id)
    where m.mail_id = any(${mailIds}::uuid[]) and w.paused_at is null
  ),
  ${watchedNames(sql, 'chosen')}
  select ${watchColumns(sql)}, w.mail_id as "mailId", w.changes, w.seqs::text[] as seqs
  from chosen w ${watchSubjects(sql)}
  order by w.created_at, w.watch_id`

/** Records that a mail was sent. What it said is not kept. */
export async function recordSent(sql: Sql, mailId: string): Promise<void> {
  await sql`
    with parts as (delete from watch_mail_part where mail_id = ${mailId})
    update watch_mail set sent_at = clock_timestamp() where mail_id = ${mailId}`
}

/** Deletes a mail that no one wants, or that no mail server will take. */
export async function deleteMail(sql: Sql, mailId: string): Promise<void> {
  await sql`delete from watch_mail where mail_id = ${mailId}`
}

/** How many mails at once these accounts got in the last `withinMs`, those that wait included. */
export async function countMails(tx: Tx, accountIds: string[], withinMs: number): Promise<Map<string, number>> {
  const rows = await tx<{ accountId: string; count: number }[]>`
    select account_id as "accountId", count(*)::integer as count from watch_mail
    where account_id = any(${accountIds}::uuid[]) and frequency = 'at_once'
      and created_at > clock_timestamp() - ${`${withinMs} ms`}::interval
    group by account_id`
  return new Map(rows.map(({ accountId, count }) => [accountId, count]))
}

/** Forgets mails that were sent longer ago than they are counted. */
export async function forgetSentMails(sql: Sql, olderThanMs: number): Promise<void> {
  await sql`delete from watch_mail where sent_at < clock_timestamp() - ${`${olderThanMs} ms`}::interval`
}

/** Returns the names of providers, by slug. */
export async function providerNames(sql: Sql, providers: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ provider: string; name: string }[]>`
    select provider, name from provider where provider = any(${providers})`
  return new Map(rows.map(({ provider, name }) => [provider, name]))
}
