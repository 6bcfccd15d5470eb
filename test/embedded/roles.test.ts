import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresPrograms } from '../../src/embedded/postgres/programs.ts'
import { reachablePrograms, type ServerUser, serverUser } from '../../src/embedded/postgres/server-user.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { run } from '../../src/embedded/process/run-program.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { silent } from '../../src/lib/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { diskForCopies } from '../support/postgres.ts'

const PASSWORD = "it's a pass/word"

describe('the role that the product connects as', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(await diskForCopies(), 'pricetape-roles-'))
    await chmod(root, 0o711)
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const start = (folder: string, attributes?: 'superuser'): Promise<EmbeddedPostgres> =>
    startPostgres({ folder, password: PASSWORD, logFile: join(root, 'log'), progress: silent, attributes })

  /** A cluster as version 0.1.0 made it: our role is the superuser of the cluster. */
  async function oldCluster(folder: string): Promise<void> {
    const { native, version } = await postgresPrograms()
    const user: ServerUser = await serverUser(silent)
    const programs = await reachablePrograms(user, native, version)
    const passwordFile = join(root, 'password')
    await writeFile(passwordFile, PASSWORD)
    if (user) await chown(passwordFile, user.uid, user.gid)
    if (user) await chown(root, user.uid, user.gid)
    const args = [`--pgdata=${folder}`, '--username=pricetape', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    const made = await run(join(programs, 'bin', 'initdb'), args, { ...user, cwd: '/' })
    expect(made.ok, made.output).toBe(true)
  }

  const roleOf = async (sql: Sql) => {
    const [row] = await sql`
      select rolsuper as super, rolcreatedb as createdb, rolcreaterole as createrole from pg_roles
      where rolname = current_user`
    return row
  }

  it('owns its database in a new folder, is no superuser, and is the only one that can log in', async () => {
    await using server = await start(join(root, 'new'))
    const sql = connect(server.url, { max: 2 })
    try {
      expect(await roleOf(sql)).toEqual({ super: false, createdb: false, createrole: false })
      expect(await migrate(sql)).not.toEqual([])
      await expect(sql`alter role postgres login password 'mine'`).rejects.toThrow('permission denied')
      const asSuperuser = connect(server.url.replace('//pricetape:', '//postgres:'), { max: 1 })
      await expect(asSuperuser`select 1`).rejects.toThrow('password authentication failed')
      await asSuperuser.end()
    } finally {
      await sql.end()
    }
  })

  it('has its next password after a start, also when an earlier start gave it one and was ended before it noted that', async () => {
    const options = { folder: join(root, 'changed'), logFile: join(root, 'log'), progress: silent }
    await (await startPostgres({ ...options, password: PASSWORD })).stop()
    const change = { ...options, password: 'another', formerPassword: PASSWORD }
    await (await startPostgres(change)).stop()
    await using server = await startPostgres(change)
    const sql = connect(server.url, { max: 1 })
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    await sql.end()
    const former = connect(server.url.replace(':another@', `:${encodeURIComponent(PASSWORD)}@`), { max: 1 })
    await expect(former`select 1`).rejects.toThrow('password authentication failed')
    await former.end()
  })

  it('stops being a superuser in a folder of version 0.1.0, and keeps everything in it', async () => {
    const folder = join(root, 'old')
    await oldCluster(folder)
    const before = await start(folder, 'superuser')
    const maintenance = connect(before.url.replace(/\/pricetape$/, '/postgres'), { max: 1 })
    await maintenance`create database pricetape`
    await maintenance.end()
    const old = connect(before.url, { max: 2 })
    await migrate(old)
    await old`insert into workspace (name, created_at) values ('Kept', now())`
    await old`create function kept() returns int language sql as 'select 1'`
    expect(await roleOf(old)).toMatchObject({ super: true })
    await old.end()
    await before[Symbol.asyncDispose]()

    await using after = await start(folder)
    const sql = connect(after.url, { max: 2 })
    try {
      expect(await roleOf(sql)).toEqual({ super: false, createdb: false, createrole: false })
      expect(await sql`select name from workspace`).toEqual([{ name: 'Kept' }])
      const foreign = await sql`
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and pg_get_userbyid(c.relowner) <> 'pricetape'`
      expect(foreign).toEqual([])
      await sql`drop function kept()`
      await sql`alter table workspace add column later text`
      expect(await sql`select rolpassword from pg_roles where rolname = 'pricetape_setup'`).toEqual([])
    } finally {
      await sql.end()
    }
  })
})
