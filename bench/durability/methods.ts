import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { connect } from '../../src/lib/sql.ts'
import { type Folders, giveToServer, startServer } from './server.ts'

const exec = promisify(execFile)
const JOBS = '2'

/** PostgreSQL's client programs, of version 18: `PG_PROGRAMS` names their folder. */
const program = (name: string): string => (process.env.PG_PROGRAMS ? join(process.env.PG_PROGRAMS, name) : name)

export async function requirePrograms(): Promise<void> {
  const { stdout } = await exec(program('pg_basebackup'), ['--version'])
  if (!/ 18[.\d]*/.test(stdout))
    throw new Error(`PostgreSQL 18's programs are needed, not ${stdout.trim()}: set PG_PROGRAMS`)
}

export type Backup = {
  /** Restores it into a new server. `until`: the instant to recover to, for methods that can. */
  restore(until?: Date): Promise<EmbeddedPostgres>
  stop(): Promise<void>
}
export type Method = 'dump' | 'archive' | 'stream'

/** Backs a database up while it is in use. */
export async function backUp(method: Method, server: EmbeddedPostgres, folders: Folders): Promise<Backup> {
  if (method === 'dump') return dump(server, folders)
  const stopReceiving = method === 'stream' ? await receiveLog(server, folders) : undefined
  const url = new URL(server.url)
  url.pathname = '/'
  await exec(program('pg_basebackup'), ['-d', url.href, '-D', join(folders.backup, 'base'), '-c', 'fast'])
  return {
    stop: async () => stopReceiving?.(),
    restore: (until) => recover(folders, method === 'stream' ? folders.received : folders.archive, until),
  }
}

async function dump({ url }: EmbeddedPostgres, folders: Folders): Promise<Backup> {
  const file = join(folders.backup, 'dump')
  await exec(program('pg_dump'), ['-Fd', '-j', JOBS, '-f', file, url])
  return {
    stop: async () => {},
    async restore() {
      const server = await startServer(folders, 'restored')
      const fresh = new URL(server.url)
      const name = fresh.pathname.slice(1)
      await exec(program('pg_restore'), ['-j', JOBS, '--exit-on-error', '-d', fresh.href, file]).catch((cause) => {
        throw new Error(`pg_restore into ${name} failed`, { cause })
      })
      const sql = connect(server.url, { max: 1 })
      await sql`set statement_timeout = 0`
      await sql`analyze`
      await sql.end()
      return server
    },
  }
}

/** Takes the write-ahead log over the network as it is written, in the place of a second machine. */
async function receiveLog({ url }: EmbeddedPostgres, { received }: Folders): Promise<() => Promise<void>> {
  const args = ['-d', url, '-D', received, '--synchronous', '--no-loop']
  const receiving = spawn(program('pg_receivewal'), args, { stdio: 'ignore' })
  await sleep(1_000)
  if (receiving.exitCode !== null) throw new Error('pg_receivewal ended')
  return async () => {
    if (receiving.exitCode !== null) return
    receiving.kill('SIGINT')
    await once(receiving, 'exit')
  }
}

/** A base backup in a new place, and the log replayed over it. */
async function recover(folders: Folders, log: string, until?: Date): Promise<EmbeddedPostgres> {
  const folder = join(folders.root, 'restored')
  await rm(folder, { recursive: true, force: true })
  await cp(join(folders.backup, 'base'), folder, { recursive: true, preserveTimestamps: true })
  await writeFile(join(folder, 'recovery.signal'), '')
  await exec('chmod', ['-R', 'go-rwx', folder])
  await exec('chmod', ['-R', 'go+rX', log])
  if (process.getuid?.() === 0) await exec('chown', ['-R', 'postgres:postgres', folder])
  await giveToServer(log)
  const restore = `restore_command=cp ${log}/%f %p 2>/dev/null || cp ${log}/%f.partial %p`
  const target = until ? [`recovery_target_time=${until.toISOString().replace('Z', '+00')}`] : []
  return startServer(folders, 'restored', [restore, 'recovery_target_action=promote', ...target])
}
