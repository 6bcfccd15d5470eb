import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listGroups } from '../../src/aliases/list-groups.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase({ each: true })
const MIGRATION = join(import.meta.dirname, '../../src/database/migrations/0032_alias_names.sql')

it('Groups whose names an earlier version took for different get names of their own', async () => {
  await db.sql.unsafe('drop index alias_group_name; drop function alias_name_key')
  await db.sql.unsafe('create unique index alias_group_name on alias_group (lower(name)) where deleted_at is null')
  for (const name of ['Café', 'Cafe\u0301', 'Other', 'Cafe'])
    await db.sql`insert into alias_group (name, updated_at) values (${name}, now())`
  await db.sql.unsafe(await readFile(MIGRATION, 'utf8'))
  const groups = await listGroups(db.sql)
  const second = groups.find(({ revision }) => revision === 2)!
  expect(groups.map(({ name }) => name).sort()).toEqual(['Cafe', 'Café', 'Other', second.name].sort())
  expect(second.name).toBe(`Cafe\u0301 ${second.id}`)
  expect(await db.sql`select revision, name, actor from alias_revision`).toMatchObject([
    { revision: 2, name: second.name, actor: 'migration' },
  ])
  expect(await db.sql`select version::int from alias_catalog`).toEqual([{ version: 1 }])
})
