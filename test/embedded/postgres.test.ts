import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { identityOf } from '../../src/embedded/process/process-identity.ts'
import { OperatorError } from '../../src/lib/errors.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { diskForCopies } from '../support/servers/postgres.ts'
import { lacks } from '../support/suite/needs.ts'

describe('the embedded PostgreSQL', () => {
  let root: string
  /** The folder of a cluster that a first start made: making one for each test takes most of their processor time. */
  let made: string
  const copyTo = (folder: string) => execFileSync('cp', ['-a', join(made, 'postgres'), folder])
  const start = (more: object = {}): Promise<EmbeddedPostgres> =>
    startPostgres({
      folder: join(root, 'postgres'),
      password: 'pa ss/w@rd',
      logFile: join(root, 'postgres.log'),
      progress: silent,
      ...more,
    })
  const startAndStop = async () => (await start())[Symbol.asyncDispose]()
  const openFolder = async () => {
    const folder = await mkdtemp(join(await diskForCopies(), 'pricetape-embedded-'))
    await chmod(folder, 0o711)
    return folder
  }
  beforeAll(async () => {
    made = root = await openFolder()
    await startAndStop()
  })
  afterAll(() => rm(made, { recursive: true, force: true }))
  beforeEach(async () => {
    root = await openFolder()
    copyTo(join(root, 'postgres'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it('keeps what was written, and its port, from one start to the next', async () => {
    const first = await start()
    await using(first, (sql) => sql`create table kept as select 42 as answer`)
    await first[Symbol.asyncDispose]()
    const second = await start({ port: first.port })
    expect(second.port).toBe(first.port)
    expect(await using(second, (sql) => sql`select answer from kept`)).toMatchObject([{ answer: 42 }])
    await second[Symbol.asyncDispose]()
  })

  it('ends the server of a start that was killed, and goes on', async () => {
    const orphan = await start()
    await using(orphan, (sql) => sql`create table kept as select 42 as answer`)
    const second = await start()
    expect((await orphan.exited).lines.join('\n')).toContain('shut down')
    expect(await using(second, (sql) => sql`select answer from kept`)).toMatchObject([{ answer: 42 }])
    await second[Symbol.asyncDispose]()
  })

  it('is not stopped by the process id of a server that is gone belonging to another program', async () => {
    const other = process.pid
    await startAndStop()
    await writeFile(join(root, 'postgres', 'postmaster.pid'), `${other}\n${join(root, 'postgres')}\n`)
    const server = await start()
    expect(await identityOf(other)).toBeDefined()
    await server[Symbol.asyncDispose]()
  })

  it('takes another port when a stranger has its own', async () => {
    copyTo(join(root, 'stranger'))
    const stranger = await start({ folder: join(root, 'stranger') })
    const server = await start({ port: stranger.port })
    expect(server.port).not.toBe(stranger.port)
    await server[Symbol.asyncDispose]()
    await stranger[Symbol.asyncDispose]()
  })

  it('says in one sentence that the password is not the one it was made with', async () => {
    await startAndStop()
    await expect(start({ password: 'another' })).rejects.toThrow(/does not let us in .* secrets\.json/)
  })

  it('says in one sentence that its folder is damaged, and leaves it as it is', async () => {
    const folder = join(root, 'damaged')
    await mkdir(folder)
    await chmod(folder, 0o700)
    const empty = start({ folder })
    await expect(empty).rejects.toBeInstanceOf(OperatorError)
    await expect(empty).rejects.toThrow(/is not a whole PostgreSQL 18 database .* Restore it from a backup/)
    await startAndStop()
    await rm(join(root, 'postgres', 'global', 'pg_control'))
    await expect(start()).rejects.toThrow(/does not start on .*pg_control.* restore the folder from a backup/)
  })

  it.skipIf(lacks('root'))(
    'is put where its user can reach it when the data folder is closed to others (needs root)',
    async () => {
      const closed = join(root, 'closed')
      await mkdir(closed, { mode: 0o700 })
      const said: string[] = []
      const server = await start({
        folder: join(closed, 'postgres'),
        progress: { say: (line: string) => said.push(line), passing: () => {} },
      })
      try {
        expect(said.join('\n')).toMatch(/cannot reach .*closed: the database is kept in \/var\/lib\/pricetape/)
      } finally {
        await server[Symbol.asyncDispose]()
        execFileSync('rm', ['-r', join(server.folder, '..')])
      }
    },
  )
})

async function using<T>(
  server: EmbeddedPostgres,
  work: (sql: ReturnType<typeof connect>) => PromiseLike<T>,
): Promise<T> {
  const sql = connect(server.url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
