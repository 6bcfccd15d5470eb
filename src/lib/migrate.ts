import { readdir, readFile } from 'node:fs/promises'
import { OperatorError } from './errors.ts'
import { sha256 } from './hash.ts'
import type { Sql } from './sql.ts'

const FOLDER = new URL('../database/migrations/', import.meta.url)
/** Any constant: it only has to be the same in every process that migrates. */
const LOCK = 727_001

/** Applies the pending forward-only migrations, one transaction each; processes that start together wait for one another. */
export async function migrate(sql: Sql): Promise<string[]> {
  const files = await migrationFiles()
  const connection = await sql.reserve()
  const done: string[] = []
  try {
    // The wait for another process is as long as its migrations, and a migration takes as long as it takes.
    await connection`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`
    await connection`select pg_advisory_lock(${LOCK})`
    // What waits for a table holds up everybody who comes after it: never for long.
    await connection`reset lock_timeout`
    await connection`create table if not exists migration (
      name text primary key, sha256 text not null, applied_at timestamptz(3) not null default clock_timestamp())`
    const rows = await connection<{ name: string; sha256: string }[]>`select name, sha256 from migration order by name`
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    for (const name of files) {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      const known = applied.get(name)
      if (known === sha256(text)) continue
      if (known) throw new OperatorError(`Migration ${name} differs from the one this database has. Restore that file.`)
      await connection.unsafe(
        `begin; ${text}\n; insert into migration (name, sha256) values ('${name}', '${sha256(text)}'); commit`,
      )
      done.push(name)
    }
    return done
  } catch (error) {
    await connection`rollback`.catch(() => {})
    // A killed PostgreSQL does not start again if its log lacks the rollback of a new unlogged table
    // (docs/decisions/2026-11-22-unlogged-tables.md): have it written now.
    await connection`select pg_logical_emit_message(false, 'pricetape', 'rollback', true)`.catch(() => {})
    throw error
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {})
    await connection`reset lock_timeout; reset statement_timeout`.simple().catch(() => {})
    connection.release()
  }
}

/** The migrations of this version that a database lacks. */
export async function pendingMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql<{ known: boolean }[]>`select to_regclass('migration') is not null as known`
  const rows = table?.known ? await sql<{ name: string }[]>`select name from migration` : []
  const applied = new Set(rows.map((row) => row.name))
  return (await migrationFiles()).filter((name) => !applied.has(name))
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}
