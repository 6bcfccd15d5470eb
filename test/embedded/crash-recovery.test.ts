import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { silent } from '../../src/lib/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { probeWrite } from '../../src/monitoring/write-probe-store.ts'
import { readingAll } from '../../src/prices/staging/compare-store.ts'
import { createFirstLoad, divideFirstLoad } from '../../src/prices/staging/first-load-store.ts'
import { copyIntoStaging, registerStaging } from '../../src/prices/staging/staging-store.ts'

/**
 * PostgreSQL does not start again when it is killed right after the end of a transaction that made an unlogged table, or
 * gave it a new file, and was rolled back: recovery makes the table's first file a second time. So ours never do.
 */
describe('PostgreSQL starts again when it is killed', () => {
  let root: string
  let server: EmbeddedPostgres
  let sql: Sql
  let other: Sql
  const start = () =>
    startPostgres({ folder: join(root, 'postgres'), password: 'pw', logFile: join(root, 'log'), progress: silent })
  /** Commits meanwhile, so that the log holds what came before it. */
  const commitMeanwhile = () => other`insert into kept values (1)`
  const failed = new Error('the rest cannot be read')

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pricetape-crash-'))
    await chmod(root, 0o711)
    server = await start()
    sql = connect(server.url, { max: 2 })
    other = connect(server.url, { max: 1 })
    await migrate(sql)
    await other`create table kept (a int)`
  })
  afterEach(async () => {
    await Promise.all([sql.end({ timeout: 0 }), other.end({ timeout: 0 })])
    await server[Symbol.asyncDispose]()
    await rm(root, { recursive: true, force: true })
  })

  async function killAndStart() {
    const pid = Number((await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
    await server.exited
    server = await start()
    const again = connect(server.url, { max: 1 })
    const [row] = await again<{ answer: number }[]>`select 42 as answer`
    await again.end()
    expect(row!.answer).toBe(42)
  }

  it('after a list that could not be read to its end', async () => {
    const table = await registerStaging(sql, 'one')
    const copying = copyIntoStaging(sql, table, async () => {
      await commitMeanwhile()
      throw failed
    })
    await expect(copying).rejects.toThrow(failed.message)
    await killAndStart()
  })

  it('after a first load that was not divided to its end', async () => {
    const table = await registerStaging(sql, 'one')
    await copyIntoStaging(sql, table, async () => {})
    await createFirstLoad(sql, table)
    const dividing = readingAll(sql, async (tx) => {
      await divideFirstLoad(tx, table, 'one', { rowsAtOnce: 100, except: [] })
      await commitMeanwhile()
      throw failed
    })
    await expect(dividing).rejects.toThrow(failed.message)
    await killAndStart()
  })

  it('after a probe whether it can write', async () => {
    const stop = new AbortController()
    const committing = (async () => {
      while (!stop.signal.aborted) await commitMeanwhile().catch(() => {})
    })()
    for (let n = 0; n < 50; n++) await probeWrite(sql)
    stop.abort()
    await committing
    await killAndStart()
  })

  it('after a migration that failed', async () => {
    await sql`drop table passkey_challenge, passkey`
    await sql`delete from migration where name = '0079_passkeys.sql'`
    await sql`create function fails() returns trigger language plpgsql as
      'begin perform pg_sleep(1); raise exception ''the disk is full''; end'`
    await sql`create trigger fails before insert on migration for each row execute function fails()`
    const migrating = migrate(sql)
    const refused = expect(migrating).rejects.toThrow('the disk is full')
    const isWaiting = () => other`select from pg_stat_activity where wait_event = 'PgSleep'`
    while ((await isWaiting()).length === 0);
    await commitMeanwhile()
    await refused
    await killAndStart()
  })
})
