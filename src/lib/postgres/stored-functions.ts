import { readdir, readFile } from 'node:fs/promises'
import { sha256 } from '../hash.ts'
import { VERSION } from '../process/version.ts'
import { isNewerVersion } from '../process/version-rules.ts'
import type { Sql } from '../sql.ts'

/** A file of src/database/functions: the newest definition of one function, which bears its name. */
type FunctionFile = { name: string; text: string; sha256: string }

const CREATE_TABLE = `create table if not exists stored_function (
  name text primary key, sha256 text not null, version text not null,
  applied_at timestamptz(3) not null default clock_timestamp())`

/**
 * Creates the functions that a database has none of, so that pending migrations can use them. What their bodies name may
 * not be there yet, so it is not checked, and nothing is recorded.
 */
export async function createMissingFunctions(connection: Sql, folder: URL): Promise<void> {
  const existing = await existingFunctions(connection)
  const missing = (await functionFiles(folder)).filter(({ name }) => !existing.has(name))
  await connection`begin`
  await define(connection, missing, 'off')
  await connection`commit`
}

/**
 * Defines the functions that differ from this version's, all or none. Returns their names. What a newer version has
 * applied stays: processes of two versions run beside each other.
 */
export async function applyFunctions(connection: Sql, folder: URL, version = VERSION): Promise<string[]> {
  await connection.unsafe(CREATE_TABLE)
  const changed = await changedFunctions(connection, folder, version)
  await connection`begin`
  // A function may call one that comes after it.
  await define(connection, changed, 'off')
  await define(connection, changed, 'on')
  for (const file of changed)
    await connection`
      insert into stored_function (name, sha256, version) values (${file.name}, ${file.sha256}, ${version})
      on conflict (name) do update
      set sha256 = excluded.sha256, version = excluded.version, applied_at = clock_timestamp()`
  await connection`commit`
  return changed.map(({ name }) => name)
}

/** Returns the functions of this version that a database lacks, or has as an older version or build defined them. */
export async function pendingFunctions(sql: Sql, folder: URL, version = VERSION): Promise<string[]> {
  return (await changedFunctions(sql, folder, version)).map(({ name }) => name)
}

async function changedFunctions(sql: Sql, folder: URL, version: string): Promise<FunctionFile[]> {
  const [table] = await sql<{ known: boolean }[]>`select to_regclass('stored_function') is not null as known`
  const rows = table?.known
    ? await sql<{ name: string; sha256: string; version: string }[]>`select name, sha256, version from stored_function`
    : []
  const applied = new Map(rows.map((row) => [row.name, row]))
  const existing = await existingFunctions(sql)
  return (await functionFiles(folder)).filter((file) => {
    const known = applied.get(file.name)
    if (known === undefined) return true
    if (isNewerVersion(known.version, version)) return false
    return known.sha256 !== file.sha256 || !existing.has(file.name)
  })
}

async function existingFunctions(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = current_schema()::regnamespace`
  return new Set(rows.map(({ name }) => name))
}

async function define(connection: Sql, files: FunctionFile[], checkBodies: 'on' | 'off'): Promise<void> {
  await connection`select set_config('check_function_bodies', ${checkBodies}, true)`
  for (const { name, text } of files)
    await connection.unsafe(text).catch((error: Error) => {
      error.message = `functions/${name}.sql: ${error.message}`
      throw error
    })
}

async function functionFiles(folder: URL): Promise<FunctionFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name: name.slice(0, -'.sql'.length), text, sha256: sha256(text) }
    }),
  )
}
