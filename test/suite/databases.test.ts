import { expect, inject, it } from 'vitest'
import { connect } from '../../src/lib/sql.ts'
import { returnCopy, takeCopy } from '../support/databases/copies.ts'
import { seedProviders } from '../support/prices.ts'

const server = inject('postgres')
const AT = '2026-01-01T00:00:00.000Z'

it('a database that a test returned is as the migration left it', async () => {
  const first = await takeCopy(server)
  const seeds = () => first.database.pool`select * from publication_clock, alias_catalog, watch_plan order by frequency`
  const before = await seeds()
  await seedProviders(first.sql, AT as never, [{ provider: 'acme' }])
  await first.sql`update publication_clock set last_seq = 7, last_stamp = ${AT}`
  await first.sql`delete from watch_plan where frequency = 'daily'`
  await first.sql`select nextval('price_line_line_id_seq'), nextval('price_line_line_id_seq')`
  await returnCopy(server, first)
  const second = await takeCopy(server)
  expect(second.name).toBe(first.name)
  expect(await second.sql`select * from provider`).toEqual([])
  expect([...(await seeds())]).toEqual([...before])
  const [next] = await second.sql`select nextval('price_line_line_id_seq')::int as id`
  expect(next).toEqual({ id: 1 })
  await returnCopy(server, second)
})

it.each([
  ['a column', 'alter table provider add column more text'],
  ['a rule', 'alter table price_line drop constraint price_line_pkey cascade'],
  ['a trigger', 'alter table price_line disable trigger user'],
  [
    'a function',
    "create or replace function alias_name_key(name text) returns text language sql immutable as 'select name'",
  ],
  ['a schema', 'create schema other'],
  ['statistics', 'analyze provider'],
  ['a right', 'grant select on provider to public'],
])('a database in which %s was changed is not lent again', async (_, change) => {
  const copy = await takeCopy(server)
  await copy.sql.unsafe(change)
  await returnCopy(server, copy)
  const next = await takeCopy(server)
  expect(next.name).not.toBe(copy.name)
  await returnCopy(server, next)
})

it.each([
  ['whose pool was closed', 'end'],
  ['that holds a lock', 'select pg_advisory_lock(5)'],
  ['whose connection was set otherwise', 'set timezone to 3'],
] as const)('a database %s is not lent again', async (_, act) => {
  const copy = await takeCopy(server)
  if (act === 'end') await copy.sql.end()
  else await copy.sql.unsafe(act)
  await returnCopy(server, copy)
  const next = await takeCopy(server)
  expect(next.name).not.toBe(copy.name)
  await returnCopy(server, next)
})

it('what still uses a database that was returned fails', async () => {
  const copy = await takeCopy(server)
  await returnCopy(server, copy)
  expect(() => copy.sql`select 1`).toThrow('the database of this test was returned')
  expect(() => copy.sql.begin(async () => {})).toThrow('the database of this test was returned')
})

it('a connection that a test left open fails it, and is closed', async () => {
  const copy = await takeCopy(server)
  const left = connect(copy.url, { max: 1, name: 'left' })
  await left`select 1`
  await expect(returnCopy(server, copy)).rejects.toThrow('connections left open')
  await left.end({ timeout: 0 }).catch(() => {})
})

it('a database whose statements are planned each time is so on every connection, also where it is the first', async () => {
  const copy = await takeCopy(server, { plansEachTime: true })
  const modes = await Promise.all(
    Array.from({ length: 10 }, () => copy.sql`select pg_sleep(0.02), current_setting('plan_cache_mode') as mode`),
  )
  expect(modes.map(([row]) => row!.mode)).toEqual(Array(10).fill('auto'))
  await returnCopy(server, copy)
})
