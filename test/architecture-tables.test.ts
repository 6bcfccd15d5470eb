import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeOf, roomOf, sourceFiles } from './support/code/source-files.ts'
import { KEPT_FOR_OLDER_PROCESSES, TABLE_MAP } from './support/code/table-map.ts'

const MIGRATIONS = join(import.meta.dirname, '../src/database/migrations')

function tablesOfMigrations(): Set<string> {
  const tables = new Set<string>()
  for (const file of readdirSync(MIGRATIONS).sort()) {
    const sql = readFileSync(join(MIGRATIONS, file), 'utf8')
    for (const [, created] of sql.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gim))
      tables.add(created!)
    for (const [, dropped] of sql.matchAll(/^drop table (?:if exists )?(\w+)/gim)) tables.delete(dropped!)
    for (const [, old, now] of sql.matchAll(/^alter table (\w+) rename to (\w+)/gim)) {
      tables.delete(old!)
      tables.add(now!)
    }
  }
  for (const kept of KEPT_FOR_OLDER_PROCESSES) tables.delete(kept)
  return tables
}

const tables = tablesOfMigrations()
const WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+(?:only\s+)?(\w+)/gi
const READ = /\b(?:from|join|using)\s+(?:only\s+)?(\w+)/gi

type Use = { file: string; table: string }

/** Every table that the SQL of a room's stores names in such a position. */
const uses = (pattern: RegExp): Use[] =>
  sourceFiles
    .filter((file) => /(^|[/-])store\.ts$/.test(file))
    .flatMap((file) => [...codeOf(file).matchAll(pattern)].map(([, table]) => ({ file, table: table!.toLowerCase() })))
    .filter(({ table }) => tables.has(table))

const show = ({ file, table }: Use) => `${file}: ${table}`
const mapOf = (file: string) => TABLE_MAP[roomOf(file)] ?? { writes: [], reads: [] }

describe('the map of rooms and tables', () => {
  it('names every table once as written', () => {
    expect(
      Object.values(TABLE_MAP)
        .flatMap(({ writes }) => writes)
        .sort(),
    ).toEqual([...tables].sort())
  })

  it('finds the tables that the stores use', () => {
    const found = new Set([...uses(WRITE), ...uses(READ)].map(({ table }) => table))
    expect([...tables].filter((table) => !found.has(table))).toEqual([])
  })

  it('lets one room write each table', () => {
    const wrong = uses(WRITE).filter(({ file, table }) => !mapOf(file).writes.includes(table))
    expect([...new Set(wrong.map(show))]).toEqual([])
  })

  it('lets a room read its own tables and those it is allowed to', () => {
    const allowed = (file: string) => [...mapOf(file).writes, ...mapOf(file).reads]
    const wrong = uses(READ).filter(({ file, table }) => !allowed(file).includes(table))
    expect([...new Set(wrong.map(show))]).toEqual([])
  })

  it('allows no read that no store needs', () => {
    const needed = new Set(uses(READ).map(({ file, table }) => `${roomOf(file)}: ${table}`))
    const unused = Object.entries(TABLE_MAP).flatMap(([room, { reads }]) => reads.map((table) => `${room}: ${table}`))
    expect(unused.filter((read) => !needed.has(read))).toEqual([])
  })
})
