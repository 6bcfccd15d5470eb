import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionsOf } from '../../../src/lib/postgres/stored-functions.ts'
import { connect } from '../../../src/lib/sql.ts'
import { readSource, sourceFiles } from '../../support/code/source-files.ts'
import { TEMPLATE } from '../../support/servers/postgres.ts'
import { type DerivedMutant, namedPlaces } from './derived.ts'
import type { TestRuns } from './test-runs.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = 'src/database/functions'
const MIGRATIONS = 'src/database/migrations'

const sqlFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => `${folder}/${file}`)
    .sort()

export const isFunction = (file: string): boolean => file.startsWith(FOLDER)
/** The files of stored functions. */
export const functionFiles = (): string[] => sqlFiles(FOLDER)

/** Returns what a text has that calls the stored function of a mutant: by itself, by another function or by a trigger. */
export function callOf({ file, start }: Pick<DerivedMutant, 'file' | 'start'>): RegExp {
  const names = new Set([nameAt(file, start)])
  const functions = functionFiles().flatMap((one) => definitionsOf(readSource(one)))
  for (const name of names)
    for (const other of functions) if (new RegExp(`\\b${name}\\(`).test(other.text)) names.add(other.name)
  const calls = [...names].map((name) => `\\b${name}\\(`)
  const writes = [...names].flatMap(tablesOfTrigger).map((table) => `(?:insert into|update|delete from) ${table}\\b`)
  return new RegExp([...calls, ...writes].join('|'))
}

/** Returns the places of the product that call a stored function. */
export function placesThatCall(call: RegExp): Set<string> {
  const keys = new Set<string>()
  for (const one of sourceFiles.filter((source) => call.test(readSource(source)))) {
    const { text, places } = namedPlaces(one)
    const those = places.filter(({ start, end }) => call.test(text.slice(start, end)))
    // A statement that does nothing but call it is not a place: what reaches its file is tried then.
    for (const { key } of those.length > 0 ? those : places) keys.add(key)
  }
  return keys
}

function nameAt(file: string, start: number): string {
  return definitionsOf(readSource(file).slice(0, start)).at(-1)!.name
}

function tablesOfTrigger(name: string): string[] {
  const text = sqlFiles(MIGRATIONS).map(readSource).join('\n')
  const statement = new RegExp(`create (?:constraint )?trigger [^;]*? on (\\w+)[^;]*?execute function ${name}\\(`, 'g')
  return [...text.matchAll(statement)].map((match) => match[1]!)
}

/**
 * Makes the template of databases that have the mutant.
 * @returns its name; undefined where PostgreSQL refuses the function
 */
export async function templateOf(runs: TestRuns, mutant: DerivedMutant): Promise<string | undefined> {
  const text = readFileSync(join(ROOT, mutant.file), 'utf8')
  const changed = text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end)
  const name = `mutant_${mutant.id}`
  const postgres = await runs.postgres()
  const admin = connect(`${postgres}/postgres`, { max: 1 })
  await admin`select pg_advisory_lock(1)`
  await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  await admin.end()
  const sql = connect(`${postgres}/${name}`, { max: 1 })
  const isTaken = await sql.unsafe(changed).then(
    () => true,
    () => false,
  )
  await sql.end()
  return isTaken ? name : undefined
}

/** In a copy whose test databases come from the template that a trial names. */
export const fromTemplateOfTrial = (text: string): string =>
  text.replace('const template = TEMPLATE', "const template = Reflect.get(globalThis, 'templateOfTrial') ?? TEMPLATE")
