import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { probeWrite } from '../../src/monitoring/write-probe-store.ts'
import { readingAll } from '../../src/prices/staging/compare-store.ts'
import { createFirstLoad, divideFirstLoad } from '../../src/prices/staging/first-load-store.ts'
import { copyIntoStaging, registerStaging } from '../../src/prices/staging/staging-store.ts'
import { diskForCopies } from '../support/servers/postgres.ts'

/** A folder through which PostgreSQL reaches its own, as its own user. */
async function newRoot(): Promise<string> {
  const root = await mkdtemp(join(await diskForCopies(), 'pricetape-crash-'))
  await chmod(root, 0o711)
  return root
}

/**
 * PostgreSQL does not start again when it is killed right after the end of a transaction that made an unlogged table, or
 * gave it a new file, and was rolled back: recovery makes the table's first file a second time. So ours never do.
 */
describe('PostgreSQL starts again when it is killed', () => {
  /** A migrated cluster that was stopped in order: each test has a copy of it. */
  let prepared: string
  let root: string
  let server: EmbeddedPostgres
  let sql: Sql
  let other: Sql
  const start = (more: object = {}) =>
    startPostgres({
      folder: join(root, 'postgres'),
      password: 'pw',
      logFile: join(root, 'log'),
      progress: silent,
      ...more,
    })
  /** Commits meanwhile, so that the log holds what came before it. */
  const commitMeanwhile = () => other`insert into kept values (1)`
  const failed = new Error('the rest cannot be read')

  beforeAll(async () => {
    prepared = await newRoot()
    root = prepared
    server = await start()
    sql = connect(server.url, { max: 2 })
    await migrate(sql)
    await sql`create table kept (a int)`
    await sql.end()
    await server.stop()
  })
  afterAll(() => rm(prepared, { recursive: true, force: true }))
  beforeEach(async () => {
    root = await newRoot()
    await promisify(execFile)('cp', ['-a', join(prepared, 'postgres'), root])
    server = await start()
    sql = connect(server.url, { max: 2 })
    other = connect(server.url, { max: 1 })
  })
  afterEach(async () => {
    await Promise.all([sql.end({ timeout: 0 }), other.end({ timeout: 0 })])
    await server[Symbol.asyncDispose]()
    await rm(root, { recursive: true, force: true })
  })

  const serverPid = async () => Number((await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n')[0])

  async function kill() {
    process.kill(await serverPid(), 'SIGKILL')
    await server.exited
  }

  async function killAndStart() {
    await kill()
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
    // As before the first migration, which makes the unlogged tables.
    await sql.unsafe('drop schema public cascade; create schema public; create table kept (a int)')
    await sql.unsafe(
      'create table migration (name text primary key, sha256 text not null, applied_at timestamptz(3) not null default clock_timestamp())',
    )
    await sql`create function fails() returns trigger language plpgsql as
      'begin perform pg_sleep(1); raise exception ''the disk is full''; end'`
    await sql`create trigger fails before insert on migration for each row execute function fails()`
    const migrating = migrate(sql)
    const refused = expect(migrating).rejects.toThrow('the disk is full')
    const isWaiting = () => other`select from pg_stat_activity where wait_event = 'PgSleep'`
    while ((await isWaiting()).length === 0) await sleep(20)
    await commitMeanwhile()
    await refused
    await killAndStart()
  })

  it('however long its recovery takes', async () => {
    await other`insert into kept select n from generate_series(1, 300000) n`
    await kill()
    const startTimeoutMs = 8_000
    const said: string[] = []
    let held = 0
    /** Stops the server in the middle of its recovery, until a start without one would have been given up. */
    const hold = async () => {
      const pid = await serverPid()
      process.kill(pid, 'SIGSTOP')
      held = pid
      await sleep(startTimeoutMs + 2_000)
      process.kill(pid, 'SIGCONT')
    }
    const say = (line: string) => {
      said.push(line)
      void hold()
    }
    server = await start({ startTimeoutMs, progress: { say, passing: () => {} } })
    expect(said).toEqual(['PostgreSQL is recovering from a crash …'])
    expect(await serverPid()).toBe(held)
  }, 60_000)

  it('once the file that its message names is moved away, where an unlogged table was made and rolled back', async () => {
    /** Returns why the server does not start. On a slow machine it has written the end of the transaction before it dies. */
    const makeAndKill = async (): Promise<Error | undefined> => {
      const making = sql.begin(async (tx) => {
        await tx`create unlogged table given_up (a int)`
        await commitMeanwhile()
        throw failed
      })
      await expect(making).rejects.toThrow(failed.message)
      await kill()
      await Promise.all([sql.end({ timeout: 0 }), other.end({ timeout: 0 })])
      try {
        server = await start()
      } catch (error) {
        return error as Error
      }
      sql = connect(server.url, { max: 2 })
      other = connect(server.url, { max: 1 })
      return undefined
    }
    let fault: Error | undefined
    for (let n = 0; n < 20 && !fault; n++) fault = await makeAndKill()
    expect(fault?.message).toMatch(/File exists\. .* Move the file .* away and start again: .* nothing is lost\.$/)
    const file = /Move the file (\S+) away/.exec(fault!.message)![1]!
    await rename(file, join(root, 'moved-away'))
    server = await start()
  })
})
