import type { Instant } from '../lib/instant.ts'
import type { Db, Sql } from '../lib/sql.ts'

/** The instant of the newest publication; nothing is recorded at or before it any more. */
export async function lastPublication(db: Db): Promise<Instant> {
  const [clock] = await db<{ at: Instant }[]>`select last_stamp as at from publication_clock`
  return clock!.at
}

const IMPORTING = 727_002

/** Runs `work` while no other process that shares this database does. */
export async function alone<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const connection = await sql.reserve()
  try {
    // The wait for another process's import is as long as that import, and no fault of ours.
    await connection`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`
    await connection`select pg_advisory_lock(${IMPORTING})`
    return await work()
  } finally {
    await connection`select pg_advisory_unlock(${IMPORTING})`.catch(() => {})
    await connection`reset lock_timeout; reset statement_timeout`.simple().catch(() => {})
    connection.release()
  }
}

/** The oldest workspace: the one an operator's commands act on when none is named. */
export async function firstWorkspace(db: Db): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select workspace_id as id from workspace order by created_at, workspace_id limit 1`
  return row?.id
}

/** The newest API key's visible end, or undefined when there is no key yet. */
export async function newestKeyEnd(db: Db): Promise<string | undefined> {
  const [row] = await db<{ end: string }[]>`select last_characters as end from api_key order by created_at desc limit 1`
  return row?.end
}

/** How many webhook secrets were sealed with another key than this one, and cannot be opened. */
export async function secretsOfOtherKeys(db: Db, keyId: string): Promise<number> {
  const [row] = await db<{ n: number }[]>`select count(*)::int as n from webhook_secret where key_id <> ${keyId}`
  return row!.n
}

export type Holdings = { providers: number; prices: number; from: Instant; webhooks: number; pending: number }

/** What is there, for the first screen; undefined while there is nothing. */
export async function holdings(db: Db): Promise<Holdings | undefined> {
  const [row] = await db<Holdings[]>`
    select (select count(distinct provider)::int from publication) as providers,
           (select count(*)::int from publication) as prices,
           (select min(published_at) from publication) as from,
           (select count(*)::int from webhook) as webhooks,
           (select count(*)::int from delivery where status = 'pending') as pending`
  return row && row.prices > 0 ? row : undefined
}

/** A workspace by its id or its name; the oldest where several have the name. */
export async function workspaceNamed(db: Db, reference: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select workspace_id as id from workspace
    where workspace_id::text = ${reference} or name = ${reference} order by created_at limit 1`
  return row?.id
}
