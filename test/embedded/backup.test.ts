import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backUpCluster } from '../../src/embedded/backup/back-up-cluster.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { diskForCopies } from '../support/servers/postgres.ts'

describe('a backup of the embedded PostgreSQL', () => {
  let root = ''
  let server: EmbeddedPostgres
  let sql: Sql
  const start = (folder: string) =>
    startPostgres({
      folder,
      password: 'secret',
      logFile: join(root, 'postgres.log'),
      // It removes from its log as soon as it may.
      settings: ['max_wal_size=32MB', 'min_wal_size=32MB'],
      progress: silent,
    })
  const timeline = async (on: Sql) => {
    const [row] = await on<{ line: number }[]>`select timeline_id as line from pg_control_checkpoint()`
    return row!.line
  }
  /** What the restored server holds of two accounts between which money is moved, and on which timeline it is. */
  async function restored(backup: string) {
    await using copy = await start(join(backup, 'postgres'))
    const on = connect(copy.url)
    const [row] = await on<{ total: number; moves: number }[]>`
      select (select sum(money)::int from purse) as total, (select count(*)::int from move) as moves`
    const found = { ...row!, timeline: await timeline(on) }
    await on.end()
    return found
  }

  beforeAll(async () => {
    root = await mkdtemp(join(await diskForCopies(), 'pricetape-backup-'))
    await chmod(root, 0o711)
    server = await start(join(root, 'postgres'))
    sql = connect(server.url)
    await sql`create table purse as select n, 1000 as money from generate_series(1, 2) n`
    await sql`create table move (id serial primary key, padding text)`
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
    await rm(root, { recursive: true, force: true })
  })
  let target = ''
  beforeEach(() => {
    target = join(root, `backup-${Math.random()}`)
  })
  afterEach(() => rm(target, { recursive: true, force: true }))

  it('is made while the server is written to: nothing that was there before is lost, and nothing is torn', async () => {
    let isOver = false
    const write = async () => {
      while (!isOver)
        await sql.begin(async (tx) => {
          await tx`update purse set money = money + case n when 1 then -1 else 1 end`
          await tx`insert into move (padding) values (repeat(md5(random()::text), 200))`
        })
    }
    const writing = write()
    while (((await sql`select count(*)::int as n from move`)[0] as { n: number }).n < 20);
    const [before] = await sql<{ moves: number }[]>`select count(*)::int as moves from move`
    const made = await backUpCluster({ cluster: server.folder, target, sql })
    const [after] = await sql<{ moves: number }[]>`select count(*)::int as moves from move`
    isOver = true
    await writing
    expect(made.bytes).toBeGreaterThan(10_000_000)
    const found = await restored(target)
    expect(found.total).toBe(2000)
    expect(found.moves).toBeGreaterThanOrEqual(before!.moves)
    expect(found.moves).toBeLessThanOrEqual(after!.moves)
    // The product notices a restore by it.
    expect(found.timeline).toBe(2)
    expect(await timeline(sql)).toBe(1)
  })

  it('holds what was written while it was made, however much that is', async () => {
    const whole = backUpCluster({ cluster: server.folder, target, sql })
    let isOver = false
    const writing = (async () => {
      while (!isOver)
        await sql`insert into move (padding) select string_agg(md5(random()::text), '') from generate_series(1, 1e6) n group by n % 1000`
    })()
    await whole
    isOver = true
    await writing
    expect((await restored(target)).total).toBe(2000)
  })

  it('is made of a server that does not run too', async () => {
    const stopped = join(root, 'stopped')
    await cp(join(root, 'postgres'), stopped, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !path.endsWith('postmaster.pid'),
    })
    const owner = await stat(server.folder)
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, stopped])
    const one = await start(stopped)
    await one.stop()
    await backUpCluster({ cluster: stopped, target })
    expect((await restored(target)).total).toBe(2000)
  })

  it('takes no folder that holds something, and leaves none that is half a backup', async () => {
    await cp(join(import.meta.dirname, 'nap.workflow.ts'), join(target, 'other'))
    await expect(backUpCluster({ cluster: server.folder, target, sql })).rejects.toThrow(/is not empty/)
    expect(await readdir(target)).toEqual(['other'])
    const fresh = `${target}-fresh`
    await expect(backUpCluster({ cluster: join(root, 'missing'), target: fresh, sql })).rejects.toThrow(/ENOENT/)
    await cp(join(import.meta.dirname, 'backup.test.ts'), join(root, 'another', 'global', 'pg_control'))
    await expect(backUpCluster({ cluster: join(root, 'another'), target: fresh, sql })).rejects.toThrow(/another one/)
    expect(await readdir(fresh)).toEqual([])
    await backUpCluster({ cluster: server.folder, target: fresh, sql })
    expect(await readdir(fresh)).toEqual(['postgres'])
  })
})
