import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { brokenStatements } from './broken-statements.ts'
import { statementsIn } from './statements.ts'

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)

/** What a migration takes away from processes of the version before. */
const CONTRACTS =
  /\bdrop (table|column|function|view|type)\b|\brename (to|column)\b|\bset not null\b|\balter column \w+ (set data )?type\b/i
/** Such a migration says since which version nothing needs it. */
const UNUSED_SINCE = /^-- contract: unused since (\d+\.\d+\.\d+)/m

const releases = (await readdir(import.meta.dirname))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))

describe('a rolling update', () => {
  const db = testDatabase()

  it.each(releases)('of %s: what its processes ask of the database works on the schema of today', async (version) => {
    const text = await readFile(new URL(`${version}.json`, import.meta.url), 'utf8')
    const statements = JSON.parse(text) as string[]
    expect(statements.length).toBeGreaterThan(200)
    expect(await brokenStatements(db.sql, statements)).toEqual([])
  })

  it('finds a column that is gone, and one that older inserts do not give', async () => {
    await db.sql.unsafe('create table rolled (id int, name text)')
    const statements = ['select name from rolled', 'insert into rolled (id) values ($1)']
    expect(await brokenStatements(db.sql, statements)).toEqual([])
    await db.sql.unsafe('alter table rolled drop column name, add column kind text not null')
    expect(await brokenStatements(db.sql, statements)).toEqual([
      { statement: 'select name from rolled', because: 'column "name" does not exist' },
      { statement: 'insert into rolled (id) values ($1)', because: 'gives no rolled.kind' },
    ])
  })
})

it('the statements of a release are read from a log of PostgreSQL', () => {
  const lines = [
    '2026-11-22 06:00:00.000 UTC [7] LOG:  execute 3kf1: ',
    '\tselect a -- the first',
    '\tfrom b where c = $1',
    '2026-11-22 06:00:00.001 UTC [7] LOG:  statement: begin',
    '2026-11-22 06:00:00.002 UTC [7] LOG:  execute <unnamed>: insert into b (a) values($1),($2)',
    '2026-11-22 06:00:00.003 UTC [7] ERROR:  duplicate key',
    '2026-11-22 06:00:00.003 UTC [7] STATEMENT:  insert into b (a) values($1),($2)',
  ]
  expect([...statementsIn(lines.join('\n'))]).toEqual(['select a from b where c = $1', 'insert into b (a) values($1)'])
})

it('no two migrations have one number', async () => {
  const numbers = (await readdir(MIGRATIONS)).map((name) => name.slice(0, '0000'.length))
  expect(numbers.filter((number, at) => !/^\d{4}$/.test(number) || numbers.indexOf(number) !== at)).toEqual([])
})

it('nothing is taken away by a migration that does not say since which release it is unused', async () => {
  const wrong: string[] = []
  for (const name of await readdir(MIGRATIONS)) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
    const contracts = CONTRACTS.test(text.replace(/--.*$/gm, ''))
    const since = UNUSED_SINCE.exec(text)?.[1]
    if (contracts && (since === undefined || !releases.includes(since))) wrong.push(name)
  }
  expect(wrong).toEqual([])
})
