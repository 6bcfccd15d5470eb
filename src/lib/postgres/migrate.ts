import { readdir, readFile } from 'node:fs/promises'
import { OperatorError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import { VERSION } from '../process/version.ts'
import type { Sql } from '../sql.ts'
import { applyFunctions, createMissingFunctions, pendingFunctions } from './stored-functions.ts'

/** Holds migrations/, functions/ and earlier-files.json. */
const DATABASE = new URL('../../database/', import.meta.url)
/** Any constant: it only has to be the same in every process that migrates. */
const LOCK = 727_001
const BASELINE = '0001_baseline.sql'

type Migration = { name: string; text: string; sha256: string }
type MigrateOptions = { folder?: URL; version?: string }
/**
 * The files of the release whose tables the baseline makes, and what migrations were before they were edited or joined
 * unreleased.
 */
type EarlierFiles = {
  release: { version: string; files: Record<string, string> }
  edited: Record<string, string[]>
  joined: Record<string, string[]>
}

/**
 * Applies the pending forward-only migrations, one transaction each, and the stored functions that differ: new ones before
 * the migrations, which may use them, changed ones after. Processes that start together wait for one another.
 * Returns the names of what was applied.
 */
export async function migrate(
  sql: Sql,
  { folder = DATABASE, version = VERSION }: MigrateOptions = {},
): Promise<string[]> {
  const connection = await sql.reserve()
  const functions = new URL('functions/', folder)
  try {
    // The wait for another process is as long as its migrations, and a migration takes as long as it takes.
    await connection`select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)`
    await connection`select pg_advisory_lock(${LOCK})`
    // What waits for a table holds up everyone who comes after it: never for long.
    await connection`reset lock_timeout`
    await connection`create table if not exists migration (
      name text primary key, sha256 text not null, applied_at timestamptz(3) not null default clock_timestamp())`
    const pending = await checkedPending(connection, folder)
    if (pending.length > 0) await createMissingFunctions(connection, functions)
    for (const { name, text, sha256: hash } of pending)
      await connection.unsafe(
        `begin; ${text}\n; insert into migration (name, sha256) values ('${name}', '${hash}'); commit`,
      )
    return [...pending.map(({ name }) => name), ...(await applyFunctions(connection, functions, version))]
  } catch (error) {
    await connection`rollback`.catch(() => {})
    // A killed PostgreSQL does not start again if its log lacks the rollback of a new unlogged table
    // (docs/decisions/operation/2026-11-22-unlogged-tables.md): have it written now.
    await connection`select pg_logical_emit_message(false, 'pricetape', 'rollback', true)`.catch(() => {})
    throw error
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {})
    await connection`reset lock_timeout; reset statement_timeout`.simple().catch(() => {})
    connection.release()
  }
}

/** Returns the migrations of this version that a database lacks, and the functions that it lacks or has otherwise. */
export async function pendingMigrations(sql: Sql): Promise<{ migrations: string[]; functions: string[] }> {
  const [table] = await sql<{ known: boolean }[]>`select to_regclass('migration') is not null as known`
  const applied = table?.known ? await appliedMigrations(sql) : new Map()
  const migrations = (await migrationsIn(DATABASE)).map(({ name }) => name).filter((name) => !applied.has(name))
  return { migrations, functions: await pendingFunctions(sql, new URL('functions/', DATABASE)) }
}

/** @throws OperatorError where a database was made by other files than those at hand. */
async function checkedPending(connection: Sql, folder: URL): Promise<Migration[]> {
  const files = await migrationsIn(folder)
  const earlier = JSON.parse(await readFile(new URL('earlier-files.json', folder), 'utf8')) as EarlierFiles
  const applied = await appliedMigrations(connection)
  const baseline = files.find(({ name }) => name === BASELINE)
  if (baseline && applied.size > 0 && !applied.has(BASELINE)) {
    requireRelease(applied, earlier.release)
    await connection`insert into migration (name, sha256) values (${BASELINE}, ${baseline.sha256})`
    applied.set(BASELINE, baseline.sha256)
  }
  for (const file of files) {
    if (applied.has(file.name) || !ranParts(applied, earlier.joined[file.name] ?? [])) continue
    await connection`insert into migration (name, sha256) values (${file.name}, ${file.sha256})`
    applied.set(file.name, file.sha256)
  }
  return files.filter((file) => {
    const known = applied.get(file.name)
    if (known === undefined) return true
    if (known === file.sha256 || earlier.edited[file.name]?.includes(known)) return false
    throw new OperatorError(`Migration ${file.name} differs from the one this database has. Restore that file.`)
  })
}

/** The baseline stands for the files that made a database of the release: all of them, as they were. */
function requireRelease(applied: Map<string, string>, { version, files }: EarlierFiles['release']): void {
  const wrong = Object.keys(files).filter((name) => applied.get(name) !== files[name])
  if (wrong.length === 0) return
  throw new OperatorError(
    `This database was not made by version ${version}: ${wrong[0]} is missing in it or differs. Update it to ${version} first, then to this version (docs/update.md).`,
  )
}

/** Whether a database ran the files that one now stands for. */
function ranParts(applied: Map<string, string>, parts: string[]): boolean {
  const ran = parts.find((name) => applied.has(name))
  const missing = parts.find((name) => !applied.has(name))
  if (ran === undefined || missing === undefined) return ran !== undefined
  throw new OperatorError(
    `This database was made by a version that was not released: it ran ${ran}, but not ${missing}. Restore a backup of a released version.`,
  )
}

async function appliedMigrations(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; sha256: string }[]>`select name, sha256 from migration`
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

async function migrationsIn(folder: URL): Promise<Migration[]> {
  const migrations = new URL('migrations/', folder)
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, migrations), 'utf8')
      return { name, text, sha256: sha256(text) }
    }),
  )
}
