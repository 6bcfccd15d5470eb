import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase({ each: true })

it('applies nothing twice, however many processes start at once', async () => {
  await expect(Promise.all([migrate(db.sql), migrate(db.sql), migrate(db.sql)])).resolves.toEqual([[], [], []])
})

it('refuses a database whose migrations are not the ones at hand', async () => {
  await db.sql`update migration set sha256 = 'other' where name = '0001_baseline.sql'`
  await expect(migrate(db.sql)).rejects.toThrow('Migration 0001_baseline.sql differs')
})

describe('a pool with limits of time', () => {
  let limited: Sql
  beforeEach(() => {
    limited = connect(`${db.url}?lock_timeout=200&statement_timeout=400`, { max: 1 })
  })
  afterEach(() => limited.end())
  const limits = () =>
    limited`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`

  it('waits for another process that migrates for as long as it takes, and has its limits again afterwards', async () => {
    const other = await db.sql.reserve()
    await other`select pg_advisory_lock(727001)`
    const migrated = migrate(limited)
    migrated.catch(() => {})
    await sleep(900)
    await other`select pg_advisory_unlock(727001)`
    other.release()
    expect(await migrated).toEqual([])
    expect(await limits()).toEqual([{ lock: '200ms', statement: '400ms' }])
  })

  it('gives up where work in hand holds a table, so that nothing queues behind it for long', async () => {
    const refused = db.sql.begin(async (tx) => {
      await tx`lock table migration in access exclusive mode`
      await migrate(limited)
    })
    await expect(refused).rejects.toThrow('canceling statement due to lock timeout')
    expect(await limits()).toEqual([{ lock: '200ms', statement: '400ms' }])
  })

  it('does not stop a migration that takes longer than its statements may', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pricetape-migrate-'))
    await cp(join(import.meta.dirname, '../../../src/database'), root, { recursive: true })
    await writeFile(join(root, 'migrations/9000_slow.sql'), 'select pg_sleep(0.7);')
    expect(await migrate(limited, { folder: pathToFileURL(`${root}/`) })).toEqual(['9000_slow.sql'])
    await rm(root, { recursive: true })
  })
})
