import { expect, it } from 'vitest'
import { openSql, withAdvisoryLock } from '../../../src/lib/postgres/database.ts'
import { connect } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()

it('connections end what takes too long, are in UTC, and say whose they are', async () => {
  const settings = async (name?: string) => {
    const sql = connect(db.url, { max: 1, name })
    const [row] = await sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
             current_setting('TimeZone') as zone, current_setting('application_name') as name`
    await sql.end()
    return Object.values(row!)
  }
  expect(await settings()).toEqual(['1min', '15s', 'UTC', 'pricetape'])
  expect(await settings('pricetape worker')).toEqual(['1min', '15s', 'UTC', 'pricetape worker'])
})

it('a pool has ten connections at most, or as many as it is given', async () => {
  for (const [given, most] of [
    [{}, 10],
    [{ max: 2 }, 2],
  ] as const) {
    // biome-ignore format: pairs
    const sql = await openSql(db.url, { name: 'counted', ...given })
    const pids = await Promise.all(
      Array.from({ length: 13 }, () => sql`select pg_backend_pid() as pid, pg_sleep(0.05)`),
    )
    expect(new Set(pids.map(([row]) => row!.pid)).size).toBe(most)
    await sql.end()
  }
})

it('a database that cannot be reached is named with what was said, and what to do', async () => {
  await expect(openSql('postgres://someone:secret@127.0.0.1:9/prices')).rejects.toThrow(
    /^The database at 127\.0\.0\.1:9\/prices does not let us in: connect ECONNREFUSED 127\.0\.0\.1:9\. Check DATABASE_URL\.$/,
  )
})

it('work under one lock is done one after the other, whatever becomes of it, and leaves the connection as it was', async () => {
  const sql = connect(db.url, { max: 2 })
  const order: string[] = []
  const under = (lock: number, name: string, fails = false) =>
    withAdvisoryLock(sql, lock, async () => {
      order.push(`${name} begins`)
      await db.sql`select pg_sleep(0.1)`
      order.push(`${name} ends`)
      if (fails) throw new Error('it failed')
      return name
    })
  const both = await Promise.allSettled([under(815, 'a', true), under(815, 'b')])
  expect(both).toMatchObject([{ status: 'rejected', reason: { message: 'it failed' } }, { value: 'b' }])
  const names = order[0] === 'a begins' ? ['a', 'b'] : ['b', 'a']
  expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]))
  order.length = 0
  await Promise.all([under(815, 'a'), under(816, 'b')])
  expect(order.slice(0, 2).sort()).toEqual(['a begins', 'b begins'])
  const [row] =
    await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
  expect(Object.values(row!)).toEqual(['1min', '15s'])
  expect(
    await sql`select from pg_locks where locktype = 'advisory' and database = (
    select oid from pg_database where datname = current_database())`,
  ).toHaveLength(0)
  await sql.end()
})
