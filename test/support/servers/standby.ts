import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresPrograms } from '../../../src/embedded/postgres/programs.ts'
import { DATABASE } from '../../../src/embedded/postgres/roles.ts'
import { reachablePrograms, serverUser } from '../../../src/embedded/postgres/server-user.ts'
import { startPostgres } from '../../../src/embedded/postgres/start-postgres.ts'
import { startChild } from '../../../src/embedded/process/child.ts'
import { serverEnvironment } from '../../../src/embedded/process/environment.ts'
import { run } from '../../../src/embedded/process/run-program.ts'
import { freePort, LOOPBACK } from '../../../src/lib/ports.ts'
import { migrate } from '../../../src/lib/postgres/migrate.ts'
import { silent } from '../../../src/lib/process/progress.ts'
import { connect } from '../../../src/lib/sql.ts'
import { diskForCopies } from './postgres.ts'

const PASSWORD = 'postgres'
const READY = 'ready to accept read-only connections'

/** A primary of its own with our schema, and a standby that streams from it, as a production database has them. */
export async function startReplication() {
  const folder = await mkdtemp(join(await diskForCopies(), 'pricetape-replication-'))
  await chmod(folder, 0o755)
  const settings = ['fsync=off', 'wal_level=replica', 'max_wal_senders=4']
  const primary = await startPostgres({
    ...{ folder: join(folder, 'primary'), password: PASSWORD, logFile: join(folder, 'primary.log'), settings },
    ...{ attributes: 'superuser' as const, progress: silent },
  })
  const sql = connect(primary.url, { max: 4 })
  await migrate(sql)
  const copy = join(folder, 'standby')
  await copyCluster(sql, primary.folder, copy)
  const source = `host=${LOOPBACK} port=${primary.port} user=${DATABASE} password=${PASSWORD}`
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  let standby = await startStandby(copy)
  return {
    sql,
    url: standby.url,
    /** Ends the standby at once, as a lost machine does. */
    loseStandby: () => standby.stop(),
    startStandby: async () => {
      standby = await startStandby(copy, standby.port)
    },
    stop: async () => {
      await standby.stop()
      await sql.end()
      await primary[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A copy of a running cluster that makes a standby of itself. */
async function copyCluster(sql: ReturnType<typeof connect>, from: string, to: string): Promise<void> {
  const user = await serverUser(silent)
  const connection = await sql.reserve()
  await connection`select pg_backup_start('copy', true)`
  const copied = await run('cp', ['-a', from, to])
  if (!copied.ok) throw new Error(copied.output)
  const [stopped] = await connection<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`
  connection.release()
  await rm(join(to, 'postmaster.pid'), { force: true })
  for (const [name, text] of [
    ['backup_label', stopped!.label],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(to, name), text)
    if (user) await chown(join(to, name), user.uid, user.gid)
  }
}

async function startStandby(folder: string, port?: number) {
  const user = await serverUser(silent)
  const { native, version } = await postgresPrograms()
  const program = join(await reachablePrograms(user, native, version), 'bin', 'postgres')
  const chosen = port ?? (await freePort())
  const settings = [`listen_addresses=${LOOPBACK}`, 'unix_socket_directories=', 'fsync=off']
  let ready = () => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const server = await startChild(
    program,
    ['-D', folder, '-p', String(chosen), ...settings.flatMap((s) => ['-c', s])],
    {
      ...user,
      cwd: folder,
      env: serverEnvironment(),
      stop: [['SIGQUIT', 2_000]],
      onLine: (line) => line.includes(READY) && ready(),
    },
  )
  const exit = await Promise.race([isReady, server.exited])
  if (exit) throw new Error(`the standby ended: ${exit.lines.join('\n')}`)
  const url = `postgres://${DATABASE}:${PASSWORD}@${LOOPBACK}:${chosen}/${DATABASE}`
  return { url, port: chosen, stop: server.stop }
}
