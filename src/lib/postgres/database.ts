import { OperatorError } from '../errors.ts'
import { connect, type Sql } from '../sql.ts'

/** PostgreSQL 18 brings uuidv7() and transaction_timeout, on which the promises about time rest. */
const OLDEST_POSTGRES = 180_000

/** A pool on a database that answers and is new enough. @throws OperatorError */
export async function openSql(url: string, options: { max?: number; name?: string } = {}): Promise<Sql> {
  const sql = connect(url, options)
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
    if (Number(row!.version) >= OLDEST_POSTGRES) return sql
  } catch (cause) {
    await sql.end({ timeout: 1 })
    throw new OperatorError(
      `The database at ${whereOf(url)} does not let us in: ${(cause as Error).message || String(cause)}. Check DATABASE_URL.`,
      { cause },
    )
  }
  await sql.end({ timeout: 1 })
  throw new OperatorError(
    `The database at ${whereOf(url)} is older than PostgreSQL 18. Set DATABASE_URL to a newer one.`,
  )
}

/** Whether the role of these connections may do anything at all. */
export async function connectsAsSuperuser(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ super: boolean }[]>`select rolsuper as super from pg_roles where rolname = current_user`
  return row?.super === true
}

/** A database's address without its password. */
function whereOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Runs `work` while no other process that shares this database runs something under the same lock. */
export async function withAdvisoryLock<T>(sql: Sql, lock: number, work: () => Promise<T>): Promise<T> {
  const connection = await sql.reserve()
  try {
    // The wait for another process is as long as its work, and not our fault.
    await connection`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`
    await connection`select pg_advisory_lock(${lock})`
    return await work()
  } finally {
    await connection`select pg_advisory_unlock(${lock})`.catch(() => {})
    await connection`reset lock_timeout; reset statement_timeout`.simple().catch(() => {})
    connection.release()
  }
}
