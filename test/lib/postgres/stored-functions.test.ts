import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate, pendingMigrations } from '../../../src/lib/postgres/migrate.ts'
import { definitionsOf } from '../../../src/lib/postgres/stored-functions.ts'
import { VERSION } from '../../../src/lib/process/version.ts'
import { schemaOf } from '../../releases/schema.ts'
import { testDatabase } from '../../support/database.ts'

const DATABASE = join(import.meta.dirname, '../../../src/database')

const db = testDatabase({ each: true })
let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pricetape-functions-'))
  await cp(DATABASE, root, { recursive: true })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (path: string, text: string) => writeFile(join(root, path), text)
const writeFunction = (name: string, result: string) =>
  write(`functions/${name}.sql`, `create or replace function ${name}() returns text language sql as $$ ${result} $$;`)
const apply = (version?: string) => migrate(db.sql, { folder: pathToFileURL(`${root}/`), version })
const answer = async (name: string) => (await db.sql.unsafe(`select ${name}() as answer`))[0]!.answer

it('each function is defined once, and as one that replaces the one before', async () => {
  const files = await readdir(join(DATABASE, 'functions'))
  const texts = await Promise.all(files.map((file) => readFile(join(DATABASE, 'functions', file), 'utf8')))
  const found = texts.flatMap(definitionsOf)
  const defined = texts.flatMap((text) => text.match(/^create .*function \w+(?=\()/gm) ?? [])
  expect(defined.sort()).toEqual(found.map(({ name }) => `create or replace function ${name}`).sort())
  expect(new Set(defined).size).toBe(defined.length)
  expect(defined.length).toBeGreaterThan(15)
})

it('reads the functions of a file, each with the comment above it', () => {
  const functionOf = (name: string) =>
    `create or replace function ${name}() returns void language sql as $$\n\n  select\n$$;\n`
  const second = `-- What it\n--\n-- does.\n${functionOf('second')}`
  const found = definitionsOf(`${functionOf('first')}\n${second}`)
  expect(found.map(({ name, text }) => [name, text])).toEqual([
    ['first', functionOf('first')],
    ['second', second],
  ])
})

it('applies a new function and a changed one, and nothing twice', async () => {
  await writeFunction('greeting', `select 'hello'`)
  expect(await apply()).toEqual(['greeting'])
  expect(await apply()).toEqual([])
  await writeFunction('greeting', `select 'good morning'`)
  expect(await apply()).toEqual(['greeting'])
  expect(await answer('greeting')).toBe('good morning')
  expect(await apply()).toEqual([])
})

it('applies a changed function once, however many processes start at once', async () => {
  await writeFunction('greeting', `select 'hello'`)
  const applied = await Promise.all([apply(), apply(), apply()])
  expect(applied.flat()).toEqual(['greeting'])
})

it('applies functions that call one another, whatever they are called', async () => {
  await writeFunction('a_first', 'select z_last()')
  await writeFunction('z_last', `select 'called'`)
  expect(await apply()).toEqual(['a_first', 'z_last'])
  expect(await answer('a_first')).toBe('called')
})

describe('beside migrations', () => {
  it('a migration uses a new function, which reads a table of that migration', async () => {
    await write(
      'functions/first_word.sql',
      `create or replace function first_word(text text) returns text language sql immutable
       return split_part(text, ' ', 1);`,
    )
    await writeFunction('newest_note', 'select first_word(note) from note order by note desc limit 1')
    await write('migrations/9000_note.sql', 'create table note (note text); create index on note (first_word(note));')
    expect(await apply()).toEqual(['9000_note.sql', 'first_word', 'newest_note'])
    await db.sql`insert into note values ('one word')`
    expect(await answer('newest_note')).toBe('one')
  })

  it('a function changes after the migrations, when the columns that it reads are there', async () => {
    await writeFunction('newest_workspace', 'select name from workspace limit 1')
    await apply()
    await writeFunction('newest_workspace', 'select motto from workspace limit 1')
    await write(
      'migrations/9000_motto.sql',
      `alter table workspace add column motto text default 'none';
       create table seen as select prosrc from pg_proc where proname = 'newest_workspace';`,
    )
    expect(await apply()).toEqual(['9000_motto.sql', 'newest_workspace'])
    expect(await db.sql`select prosrc from seen`).toEqual([{ prosrc: ' select name from workspace limit 1 ' }])
  })

  it('what was killed between the two is completed by the next start', async () => {
    await writeFunction('newest_note', 'select note from note limit 1')
    await write('migrations/9000_note.sql', 'create table note (note text);')
    await write('migrations/9001_broken.sql', 'select 1 / 0;')
    await expect(apply()).rejects.toThrow('division by zero')
    await write('migrations/9001_broken.sql', 'select 1;')
    expect(await apply()).toEqual(['9001_broken.sql', 'newest_note'])
    expect(await apply()).toEqual([])
  })
})

it('a function that cannot be applied leaves all functions as they were, and is named', async () => {
  await writeFunction('greeting', `select 'hello'`)
  await apply()
  const before = await schemaOf(db.sql)
  await writeFunction('another', `select 'new'`)
  await writeFunction('greeting', `select 'good morning'`)
  await writeFunction('wrong', 'select nothing from nowhere')
  await expect(apply()).rejects.toThrow('wrong in functions/wrong.sql: relation "nowhere" does not exist')
  expect(await schemaOf(db.sql)).toEqual(before)
  expect(await answer('greeting')).toBe('hello')
  await writeFunction('wrong', `select 'right'`)
  expect(await apply()).toEqual(['another', 'greeting', 'wrong'])
})

it('what a newer version has applied stays when an older one starts beside it', async () => {
  await writeFunction('greeting', `select 'newer'`)
  await apply('99.0.0')
  await writeFunction('greeting', `select 'older'`)
  expect(await apply(VERSION)).toEqual([])
  expect(await answer('greeting')).toBe('newer')
})

it('a function of the same name in another schema is not taken for ours', async () => {
  await db.sql.unsafe(
    `create schema other; create function other.greeting() returns text language sql as $$ select 'hi' $$`,
  )
  await writeFunction('greeting', `select 'hello'`)
  await write('migrations/9999_greets.sql', `select greeting();`)
  await apply()
  expect(await answer('greeting')).toBe('hello')
})

it('a function that someone dropped is created again', async () => {
  await db.sql`drop function rows_condition`
  expect(await pendingMigrations(db.sql)).toEqual({ migrations: [], functions: ['rows_condition'] })
  expect(await apply()).toEqual(['rows_condition'])
  expect(await pendingMigrations(db.sql)).toEqual({ migrations: [], functions: [] })
})
