import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresPrograms } from '../../src/embedded/postgres/programs.ts'
import { reachablePrograms, serverUser } from '../../src/embedded/postgres/server-user.ts'
import { startChild } from '../../src/embedded/process/child.ts'
import { run } from '../../src/embedded/process/run-program.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { freePort } from '../support/servers/ports.ts'
import { diskForCopies } from '../support/servers/postgres.ts'
import { lacks } from '../support/suite/needs.ts'

const SCRIPT = join(import.meta.dirname, '../../ops/compose/roles.sh')
const PASSWORD = "it's a pass/word"

describe.skipIf(lacks('psql'))('The roles of docker-compose.yml (needs psql)', () => {
  let root: string
  const stops: (() => Promise<void>)[] = []
  beforeEach(async () => {
    root = await mkdtemp(join(await diskForCopies(), 'pricetape-compose-'))
    await chmod(root, 0o711)
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    await rm(root, { recursive: true, force: true })
  })

  /** A server as the image runs it: who is within the container needs no password. */
  async function serverOf(superuser: string) {
    const { native, version } = await postgresPrograms()
    const user = await serverUser(silent)
    const bin = join(await reachablePrograms(user, native, version), 'bin')
    const [cluster, socket] = [join(root, 'cluster'), join(root, 'socket')]
    for (const path of [cluster, socket]) await mkdir(path, { mode: 0o700 })
    if (user) for (const path of [cluster, socket]) await chown(path, user.uid, user.gid)
    const auth = ['--auth-local=trust', '--auth-host=scram-sha-256']
    const made = await run(join(bin, 'initdb'), [`--pgdata=${cluster}`, `--username=${superuser}`, ...auth], {
      ...user,
      cwd: '/',
    })
    expect(made.ok, made.output).toBe(true)
    const port = await freePort()
    let ready = () => {}
    const isReady = new Promise<void>((resolve) => (ready = resolve))
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${socket}`]
    const server = await startChild(
      join(bin, 'postgres'),
      ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...user,
        cwd: '/',
        stop: [['SIGINT', 10_000]],
        onLine: (line) => line.includes('ready to accept connections') && ready(),
      },
    )
    stops.push(server.stop)
    await isReady
    const env = { PATH: process.env.PATH, PGHOST: socket, PGPORT: String(port), POSTGRES_PASSWORD: PASSWORD }
    return {
      setRoles: () => promisify(execFile)('sh', [SCRIPT], { env }),
      psql: (as: string, database: string, statement: string) =>
        promisify(execFile)('psql', ['-v', 'ON_ERROR_STOP=1', '-U', as, '-d', database, '-c', statement], { env }),
      connect: (as: string, database: string, password = PASSWORD) =>
        connect(`postgres://${as}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`, { max: 1 }),
    }
  }
  type Server = Awaited<ReturnType<typeof serverOf>>

  /** Both own their databases and what is in them, and neither may do anything else. */
  async function areOrdinary(server: Server): Promise<void> {
    for (const [role, database] of [
      ['pricetape', 'pricetape'],
      ['temporal', 'temporal'],
      ['temporal', 'temporal_visibility'],
    ] as const) {
      const sql = server.connect(role, database)
      const rows = await sql`
        select rolsuper as super, rolcreatedb as createdb, rolcreaterole as createrole from pg_roles where rolname = current_user`
      expect([...rows]).toEqual([{ super: false, createdb: false, createrole: false }])
      await sql`create table made_by_its_owner ()`
      await sql`drop table made_by_its_owner`
      await sql.end()
    }
    const asSuperuser = server.connect('postgres', 'postgres')
    await expect(asSuperuser`select 1`).rejects.toThrow('password authentication failed')
    await asSuperuser.end()
  }

  it('are not superusers and own their databases on a new volume, also when the script runs again', async () => {
    const server = await serverOf('postgres')
    await server.setRoles()
    await server.setRoles()
    await areOrdinary(server)
    const sql = server.connect('pricetape', 'pricetape')
    expect(await migrate(sql)).not.toEqual([])
    await sql.end()
  })

  it('take over a volume of 1.0.0, where everything belonged to the superuser pricetape', async () => {
    const server = await serverOf('pricetape')
    await server.psql('pricetape', 'postgres', `alter role pricetape password '${PASSWORD.replaceAll("'", "''")}'`)
    for (const database of ['pricetape', 'temporal', 'temporal_visibility'])
      await server.psql('pricetape', 'postgres', `create database ${database}`)
    const before = server.connect('pricetape', 'pricetape')
    await migrate(before)
    await before.end()
    await server.psql('pricetape', 'temporal', 'create table executions (id serial primary key)')
    await server.setRoles()
    await areOrdinary(server)
    const sql = server.connect('pricetape', 'pricetape')
    expect(await migrate(sql)).toEqual([])
    await sql`alter table workspace add column one_more text`
    await sql`update installation set created_at = created_at`
    await sql.end()
    await server.psql('temporal', 'temporal', 'alter table executions add column more text')
  })
})
