import { readdir, readFile } from 'node:fs/promises'
import { sha256 } from '../hash.ts'
import { VERSION } from '../process/version.ts'
import { isNewerVersion } from '../process/version-rules.ts'
import type { Sql } from '../sql.ts'

/** The newest definition of a function, and the file of src/database/functions that has it. */
type StoredFunction = { name: string; file: string; text: string; sha256: string }

/** A definition begins with the comment above it. A blank line ends the one before. */
const BETWEEN = /\n\n(?=(?:--.*\n)*create or replace function )/
const NAME = /^create or replace function (\w+)\(/m

const CREATE_TABLE = `create table if not exists stored_function (
  name text primary key, sha256 text not null, version text not null,
  applied_at timestamptz(3) not null default clock_timestamp())`

/**
 * Creates the functions that a database has none of, so that pending migrations can use them. What their bodies name may
 * not be there yet, so it is not checked, and nothing is recorded.
 */
export async function createMissingFunctions(connection: Sql, folder: URL): Promise<void> {
  const existing = await existingFunctions(connection)
  const missing = (await functionsIn(folder)).filter(({ name }) => !existing.has(name))
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
  for (const { name, sha256: hash } of changed)
    await connection`
      insert into stored_function (name, sha256, version) values (${name}, ${hash}, ${version})
      on conflict (name) do update
      set sha256 = excluded.sha256, version = excluded.version, applied_at = clock_timestamp()`
  await connection`commit`
  return changed.map(({ name }) => name)
}

/** Returns the functions of this version that a database lacks, or has as an older version or build defined them. */
export async function pendingFunctions(sql: Sql, folder: URL, version = VERSION): Promise<string[]> {
  return (await changedFunctions(sql, folder, version)).map(({ name }) => name)
}

async function changedFunctions(sql: Sql, folder: URL, version: string): Promise<StoredFunction[]> {
  const [table] = await sql<{ known: boolean }[]>`select to_regclass('stored_function') is not null as known`
  const rows = table?.known
    ? await sql<{ name: string; sha256: string; version: string }[]>`select name, sha256, version from stored_function`
    : []
  const applied = new Map(rows.map((row) => [row.name, row]))
  const existing = await existingFunctions(sql)
  return (await functionsIn(folder)).filter(({ name, sha256: hash }) => {
    const known = applied.get(name)
    if (known === undefined) return true
    if (isNewerVersion(known.version, version)) return false
    return known.sha256 !== hash || !existing.has(name)
  })
}

async function existingFunctions(sql: Sql): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = current_schema()::regnamespace`
  return new Set(rows.map(({ name }) => name))
}

async function define(connection: Sql, functions: StoredFunction[], checkBodies: 'on' | 'off'): Promise<void> {
  await connection`select set_config('check_function_bodies', ${checkBodies}, true)`
  for (const { name, file, text } of functions)
    await connection.unsafe(text).catch((error: Error) => {
      error.message = `${name} in functions/${file}: ${error.message}`
      throw error
    })
}

async function functionsIn(folder: URL): Promise<StoredFunction[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  return files
    .flatMap((file, at) => definitionsOf(texts[at]!).map((one) => ({ ...one, file })))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the functions that a file defines. */
export function definitionsOf(file: string): { name: string; text: string; sha256: string }[] {
  return file
    .trimEnd()
    .split(BETWEEN)
    .map((definition) => {
      const text = `${definition}\n`
      return { name: NAME.exec(text)![1]!, text, sha256: sha256(text) }
    })
}
