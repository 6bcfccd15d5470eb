import type { Sql, Tx } from '../lib/sql.ts'
import type { Changes } from './change-store.ts'
import type { Frequency, WatchView } from './schema.ts'
import { watchColumns, watchedNames, watchSubjects } from './watch-store.ts'

/** What a mail is about: how many changes of each watch, and the events that it shows. */
export type MailFacts = { frequency: Frequency; parts: Omit<Changes, 'accountId'>[] }

/** What a mail says of one watch. */
export type MailPart = WatchView & { changes: number; seqs: string[] }

/** Locks accounts before their watches are: one that is being deleted is waited for here. */
export async function keepAccounts(tx: Tx, accountIds: string[]): Promise<void> {
  await tx`select from account where account_id = any(${accountIds}::uuid[]) order by account_id for key share`
}

/** The confirmed address of an account; undefined where it has none, is disabled, or is gone. */
export async function addressOf(sql: Sql, accountId: string): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    select email from account
    where account_id = ${accountId} and disabled_at is null and email_verified_at is not null`
  return row?.email
}

/** What a mail says of watches that are not paused meanwhile. */
export const partsOf = (sql: Sql, { parts }: MailFacts): Promise<MailPart[]> => sql<MailPart[]>`
  with recursive chosen as (
    select w.*, m.changes, m.seqs
    from jsonb_to_recordset(${sql.json(parts)}::jsonb) as m ("watchId" uuid, changes integer, seqs bigint[])
    join watch w on w.watch_id = m."watchId"
    where w.paused_at is null
  ),
  ${watchedNames(sql, 'chosen')}
  select ${watchColumns(sql)}, w.changes, w.seqs::text[] as seqs
  from chosen w ${watchSubjects(sql)}
  order by w.created_at, w.watch_id`

/** Returns the names of providers, by slug. */
export async function providerNames(sql: Sql, providers: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ provider: string; name: string }[]>`
    select provider, name from provider where provider = any(${providers})`
  return new Map(rows.map(({ provider, name }) => [provider, name]))
}
