import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { aliasListing } from '../../src/aliases/listing-store.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { declareRestore } from '../../src/catalog/clock/begin-restored-timeline.ts'
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { closeAsOf } from '../../src/catalog/clock/close-as-of.ts'
import { startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { continued } from '../../src/prices/history/cursor-rules.ts'
import { testDatabase } from '../support/database.ts'
import { CURSOR_KEY, readPage } from '../support/definitions/history.ts'
import { publish, seedProviders } from '../support/prices.ts'
import { diskForCopies } from '../support/servers/postgres.ts'

const DAY1 = '2026-01-01T00:00:00.000Z' as Instant
const DAY2 = '2026-01-02T00:00:00.000Z' as Instant
const DAY3 = '2026-01-03T00:00:00.000Z' as Instant

const row = (resource: string) => ({ provider: 'acme', resource, price: '1' })

/** Publishes two rows before the backup: at DAY1, and at DAY2, the last stamp. */
async function publishBeforeBackup(sql: Sql): Promise<void> {
  await seedProviders(sql, plus(DAY1, -1), [{ provider: 'acme' }])
  await publish(sql, [row('a'), row('b')], DAY1)
  await publish(sql, [row('c')], DAY2)
}

const refusal = (read: Promise<unknown>) =>
  read.then(
    () => 'answered',
    (error) => `${error.code} ${error.field}`,
  )
const continueWalk = (sql: Sql, cursor: string) => {
  const request = continued(CURSOR_KEY, cursor, 10)!
  return readPage(sql, { ...request, asOf: request.asOf! })
}
const cursorAt = async (sql: Sql, asOf: Instant, more: Parameters<typeof readPage>[1] = { asOf }) =>
  JSON.parse(await readPage(sql, { limit: 1, ...more, asOf })).nextCursor as string

describe('a database that was restored from a backup', () => {
  const db = testDatabase({ each: true })
  const backup = () => `${db.name}_backup`
  const admin = async (work: (sql: Sql) => Promise<unknown>) => {
    const sql = connect(`${inject('postgres')}/postgres`, { max: 1 })
    await work(sql)
    await sql.end()
  }
  /** Copies the database while no one uses it. */
  const backUp = async () => {
    await db.sql.end()
    await admin((sql) => sql.unsafe(`create database ${backup()} template ${db.name}`))
    db.sql = connect(db.url)
  }
  /** Drops the database and loads the backup in its place, while a pool stays open. */
  const restore = () =>
    admin(async (sql) => {
      await sql.unsafe(`drop database ${db.name} with (force)`)
      await sql.unsafe(`alter database ${backup()} rename to ${db.name}`)
    })

  it('refuses instants and cursors of the lost history, and answers all others as before', async () => {
    await publishBeforeBackup(db.sql)
    const early = { page: await readPage(db.sql, { asOf: DAY1 }), cursor: await cursorAt(db.sql, DAY1) }
    await backUp()
    await publish(db.sql, [row('lost')], DAY3)
    expect(await readPage(db.sql, { asOf: DAY3 })).toContain('"lost"')
    const lostCursor = await cursorAt(db.sql, DAY3)
    await restore()
    // The first query finds its connection closed.
    await db.sql`select`.catch(() => {})
    expect(await refusal(readPage(db.sql, { asOf: DAY3 }))).toBe('history_lost asOf')
    expect(await refusal(readPage(db.sql, { asOf: plus(DAY2, 1) }))).toBe('history_lost asOf')
    const [{ until }] = await db.sql<
      [{ until: Instant }]
    >`select lost_until as until from history_timeline where timeline > 1`
    expect(await refusal(readPage(db.sql, { asOf: until }))).toBe('history_lost asOf')
    expect(await refusal(continueWalk(db.sql, lostCursor))).toBe('history_lost cursor')
    expect(await readPage(db.sql, { asOf: DAY1 })).toBe(early.page)
    expect(JSON.parse(await readPage(db.sql, { asOf: DAY2 })).prices).toHaveLength(3)
    expect(JSON.parse(await continueWalk(db.sql, early.cursor)).prices).toHaveLength(1)
    const now = await databaseNow(db.sql)
    expect(await refusal(readPage(db.sql, { asOf: plus(now, -15 * MINUTE), since: DAY3 }))).toBe('history_lost since')
    const copy = JSON.parse(await readPage(db.sql, { asOf: plus(now, -15 * MINUTE), since: DAY1 }))
    expect(copy.prices).toHaveLength(1)
  })

  it('is noticed before anything is stamped: what is published first does not hide what is lost', async () => {
    await publishBeforeBackup(db.sql)
    await backUp()
    await publish(db.sql, [row('lost')], DAY3)
    await restore()
    await db.sql`select`.catch(() => {})
    await publish(db.sql, [row('new')])
    expect(await refusal(readPage(db.sql, { asOf: DAY3 }))).toBe('history_lost asOf')
    const [timeline] = await db.sql`select lost_after from history_timeline where lost_after is not null`
    expect(timeline).toEqual({ lost_after: DAY2 })
  })

  it('ends walks through a group, whose revisions may repeat', async () => {
    await publishBeforeBackup(db.sql)
    const members = [row('a'), row('b')].map(({ provider, resource }) => ({ provider, resource }))
    const { id } = await saveGroup(db.sql, { name: 'Group', members, actor: 'test' })
    const cursor = await cursorAt(db.sql, DAY1, { asOf: DAY1, alias: { reference: id } })
    expect(await refusal(continueWalk(db.sql, cursor))).toBe('answered')
    await backUp()
    await restore()
    await db.sql`select`.catch(() => {})
    expect(await refusal(continueWalk(db.sql, cursor))).toBe('history_lost cursor')
  })

  it('gives no group the revision of a lost change, and the catalogue a higher version at once', async () => {
    await publishBeforeBackup(db.sql)
    const [a, b, c] = ['a', 'b', 'c'].map((resource) => ({ provider: 'acme', resource }))
    const group = { name: 'Group', actor: 'test' }
    const { id } = await saveGroup(db.sql, { ...group, members: [a!] })
    await backUp()
    const lost = await saveGroup(db.sql, { ...group, id, members: [a!, b!] })
    expect([lost.revision, lost.version]).toEqual([2, 2])
    await restore()
    await db.sql`select`.catch(() => {})
    await readPage(db.sql, { asOf: DAY1 })
    const listed = await aliasListing(db.sql)
    expect(listed.groups[0]?.revision).toBe(1)
    expect(listed.version).toBeGreaterThan(28_000_000)
    const saved = await saveGroup(db.sql, { ...group, id, members: [a!, c!] })
    expect(saved.revision).toBeGreaterThan(28_000_000)
    expect(saved.version).toBeGreaterThan(listed.version)
  })

  it('loses nothing when every answered instant was in the backup', async () => {
    await publishBeforeBackup(db.sql)
    await closeAsOf(db.sql, plus(await databaseNow(db.sql), -14 * MINUTE))
    await backUp()
    await restore()
    await db.sql`select`.catch(() => {})
    const now = await databaseNow(db.sql)
    for (const at of [DAY1, DAY3, plus(now, -16 * MINUTE)])
      expect(await refusal(readPage(db.sql, { asOf: at }))).toBe('answered')
    expect(await db.sql`select from history_timeline`).toHaveLength(2)
    expect(await db.sql`select from history_timeline where lost_after is not null`).toHaveLength(0)
  })

  it('is noticed once, and not on another connection or after a migration', async () => {
    await publishBeforeBackup(db.sql)
    await Promise.all([DAY1, DAY2, DAY1, DAY2].map((asOf) => readPage(db.sql, { asOf })))
    await migrate(db.sql)
    await db.sql`vacuum full history_timeline`
    await readPage(db.sql, { asOf: DAY1 })
    expect(await db.sql`select from history_timeline`).toHaveLength(1)
    await backUp()
    await restore()
    await db.sql`select`.catch(() => {})
    await Promise.all([DAY1, DAY2, DAY1, DAY2].map((asOf) => readPage(db.sql, { asOf })))
    expect(await db.sql`select from history_timeline`).toHaveLength(2)
  })

  it('is declared by an operator where nothing shows it, with the instant of the backup', async () => {
    await publishBeforeBackup(db.sql)
    const cursor = await cursorAt(db.sql, DAY1)
    await publish(db.sql, [row('new')])
    const lost = await declareRestore(db.sql, plus(DAY2, 5))
    expect(lost?.after).toBe(plus(DAY2, 5))
    expect(await refusal(readPage(db.sql, { asOf: DAY3 }))).toBe('history_lost asOf')
    expect(await refusal(readPage(db.sql, { asOf: plus(DAY2, 5) }))).toBe('answered')
    expect(await refusal(continueWalk(db.sql, cursor))).toBe('answered')
  })

  it('lost what came after its last publication, where the backup was made later', async () => {
    await publishBeforeBackup(db.sql)
    expect((await declareRestore(db.sql, plus(DAY2, 5)))?.after).toBe(DAY2)
  })
})

describe('a cluster after point-in-time recovery', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(await diskForCopies(), 'pricetape-recovery-'))
    await chmod(root, 0o711)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('refuses instants of the lost history', async () => {
    const start = (settings: string[] = []) =>
      startPostgres({
        folder: join(root, 'postgres'),
        password: 'postgres',
        logFile: join(root, 'postgres.log'),
        settings,
        progress: silent,
      })
    const during = async (settings: string[], work: (sql: Sql) => Promise<void>) => {
      const server = await start(settings)
      const sql = connect(server.url, { max: 2 })
      await work(sql)
      await sql.end()
      await server[Symbol.asyncDispose]()
    }
    await during([], async (sql) => {
      await migrate(sql)
      await publishBeforeBackup(sql)
    })
    execFileSync('cp', ['-a', join(root, 'postgres'), join(root, 'backup')])
    await during([], async (sql) => {
      await publish(sql, [row('lost')], DAY3)
      expect(await readPage(sql, { asOf: DAY3 })).toContain('"lost"')
    })
    await rm(join(root, 'postgres'), { recursive: true })
    execFileSync('cp', ['-a', join(root, 'backup'), join(root, 'postgres')])
    await writeFile(join(root, 'postgres', 'recovery.signal'), '')
    await during(['restore_command=false'], async (sql) => {
      expect(await refusal(readPage(sql, { asOf: DAY3 }))).toBe('history_lost asOf')
      expect(JSON.parse(await readPage(sql, { asOf: DAY2 })).prices).toHaveLength(3)
    })
  })
})
