import type { Db, Sql, Tx } from '../lib/sql.ts'
import type { MailKind } from '../lib/text/mail-subjects.ts'
import type { WaitingMail } from './schema.ts'

/** Who sends a mail has this long; then another may. It is also the wait until the next try. */
const CLAIMED_FOR_MS = 4 * 60_000

/** `waitMs`: how long the checks leave it to who writes it. `sealed` is base64. */
type NewRow = {
  mailId: string
  kind: MailKind
  to?: string
  accountId?: string
  slot?: string
  sealed?: string
  facts?: object
  validMs: number
  waitMs?: number
}

/**
 * Writes mails that wait to be sent. A text takes the place of the one that waits in its slot: the link in that is void. Facts do
 * not: they wait for another time. Returns the ids of what was written.
 */
export async function insertMails(db: Db, mails: NewRow[]): Promise<string[]> {
  const rows = await db<{ mailId: string }[]>`
    insert into outbox_mail (mail_id, kind, to_address, account_id, slot, sealed, facts, created_at, next_try_at, expires_at)
    select "mailId", kind, "to", "accountId", slot, decode(sealed, 'base64'), facts, now.at,
           now.at + coalesce("waitMs", 0) * interval '1 millisecond', now.at + "validMs" * interval '1 millisecond'
    from jsonb_to_recordset(${db.json(mails as never)}::jsonb)
           as m ("mailId" uuid, kind text, "to" text, "accountId" uuid, slot text, sealed text, facts jsonb, "waitMs" bigint,
                 "validMs" bigint),
         date_trunc('milliseconds', clock_timestamp()) as now (at)
    on conflict (to_address, slot) where state = 'waiting' do update
    set mail_id = excluded.mail_id, sealed = excluded.sealed, attempts = 0, problem = null, created_at = excluded.created_at,
        next_try_at = excluded.next_try_at, expires_at = excluded.expires_at
    where excluded.sealed is not null
    returning mail_id as "mailId"`
  return rows.map(({ mailId }) => mailId)
}

/** Claims mails that are due, those that have waited longest first, or one whether it is due or not. */
export async function claimMails(
  db: Db,
  { limit, mailId }: { limit: number; mailId?: string },
): Promise<WaitingMail[]> {
  return [
    ...(await db<WaitingMail[]>`
      update outbox_mail set next_try_at = clock_timestamp() + ${`${CLAIMED_FOR_MS} ms`}::interval
      where mail_id = any(array(
        select mail_id from outbox_mail
        where state = 'waiting' and expires_at > clock_timestamp()
          and ${mailId === undefined ? db`next_try_at <= clock_timestamp()` : db`mail_id = ${mailId}`}
        order by next_try_at limit ${limit} for update skip locked))
      returning mail_id as "mailId", kind, to_address as to, account_id as "accountId", slot, sealed, facts`),
  ]
}

/** Ends a mail. What it said is not kept, nor to whom one was sent. */
export async function endMail(
  db: Db,
  mailId: string,
  state: 'sent' | 'refused',
  problem: string | null = null,
): Promise<void> {
  await db`
    update outbox_mail
    set state = ${state}, ended_at = clock_timestamp(), attempts = attempts + 1, problem = ${problem},
        sealed = null, facts = null, slot = null, to_address = case when ${state} <> 'sent' then to_address end
    where mail_id = ${mailId} and state = 'waiting'`
}

/** Records why a mail did not arrive. It is due again when its claim ends. */
export async function recordProblem(db: Db, mailId: string, problem: string): Promise<void> {
  await db`update outbox_mail set attempts = attempts + 1, problem = ${problem} where mail_id = ${mailId}`
}

/** Deletes a mail that no one wants any more. */
export async function deleteMail(db: Db, mailId: string): Promise<void> {
  await db`delete from outbox_mail where mail_id = ${mailId}`
}

export async function deleteMailsTo(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from outbox_mail where account_id = ${accountId}`
}

/** Ends the mails that there is no point in sending any more, and forgets those that ended so long ago. */
export async function endOldMails(db: Db, keptMs: number): Promise<void> {
  await db`
    update outbox_mail set state = 'expired', ended_at = clock_timestamp(), sealed = null, facts = null, slot = null
    where state = 'waiting' and expires_at <= clock_timestamp()`
  await db`
    delete from outbox_mail
    where state <> 'waiting' and ended_at < clock_timestamp() - ${`${keptMs} ms`}::interval`
}

/** How many mails are due, and of those that were tried again in vain, how many there are and why the newest waits. */
export async function readWaiting(sql: Sql): Promise<{ due: number; failing: number; problem: string | null }> {
  const [row] = await sql<{ due: number; failing: number; problem: string | null }[]>`
    select count(*) filter (where next_try_at <= clock_timestamp())::integer as due,
           count(*) filter (where attempts > 1)::integer as failing,
           (array_agg(problem order by next_try_at desc) filter (where attempts > 1))[1] as problem
    from outbox_mail where state = 'waiting'`
  return row!
}

/** How many mails of a kind these accounts got in the last `withinMs`, those that wait included. */
export async function countMails(
  db: Db,
  { kind, accountIds, withinMs }: { kind: MailKind; accountIds: string[]; withinMs: number },
): Promise<Map<string, number>> {
  const rows = await db<{ accountId: string; count: number }[]>`
    select account_id as "accountId", count(*)::integer as count from outbox_mail
    where account_id = any(${accountIds}::uuid[]) and kind = ${kind} and state in ('waiting', 'sent')
      and created_at > clock_timestamp() - ${`${withinMs} ms`}::interval
    group by account_id`
  return new Map(rows.map(({ accountId, count }) => [accountId, count]))
}

type SealedMail = { mailId: string; to: string; slot: string; sealed: Uint8Array }

/** Locks every sealed mail, so that none is sent meanwhile. */
export const lockSealedMails = (tx: Tx): Promise<SealedMail[]> =>
  tx<SealedMail[]>`
    select mail_id as "mailId", to_address as to, slot, sealed from outbox_mail
    where sealed is not null order by mail_id for update`

export async function replaceSealed(tx: Tx, mailId: string, sealed: Uint8Array): Promise<void> {
  await tx`update outbox_mail set sealed = ${sealed} where mail_id = ${mailId}`
}
