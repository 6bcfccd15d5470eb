import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { diskForCopies } from '../support/servers/postgres.ts'

const PASSWORD = "it's a pass/word"

describe('the role that the product connects as', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(await diskForCopies(), 'pricetape-roles-'))
    await chmod(root, 0o711)
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const start = (folder: string): Promise<EmbeddedPostgres> =>
    startPostgres({ folder, password: PASSWORD, logFile: join(root, 'log'), progress: silent })

  const roleOf = async (sql: Sql) => {
    const [row] = await sql`
      select rolsuper as super, rolcreatedb as createdb, rolcreaterole as createrole from pg_roles
      where rolname = current_user`
    return row
  }

  it('owns its database in a new folder, is not a superuser, and is the only one that can log in', async () => {
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
})
