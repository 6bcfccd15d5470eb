import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { commands, documentedSettings, environment, runDocumented } from './documented.ts'
import { startServer } from './server.ts'

const exec = promisify(execFile)

export async function requirePrograms(): Promise<void> {
  const { stdout } = await exec('pg_basebackup', ['--version'], { env: environment() })
  if (!/ 18\./.test(stdout))
    throw new Error(`PostgreSQL 18's programs are needed, not ${stdout.trim()}: set PG_PROGRAMS`)
}

export type Backup = {
  /** Restores it into a new server. `until`: the instant to recover to, for methods that can. */
  restore(until?: Date): Promise<EmbeddedPostgres>
  stop(): Promise<void>
}
export type Method = 'dump' | 'archive' | 'stream'

/** Backs a database up while it is in use, with the commands of docs/backup.md. */
export async function backUp(method: Method, server: EmbeddedPostgres, root: string): Promise<Backup> {
  if (method === 'dump') return dump(server, root)
  // What is received is in the place of an archive of its own, so that nothing comes from the other.
  const log = method === 'stream' ? join(root, 'received') : root
  await mkdir(join(log, 'archive'), { recursive: true })
  const stop = method === 'stream' ? await receiveLog(server, log) : async () => {}
  await runDocumented('pg_basebackup', root, server.url)
  return { stop, restore: (until) => recover(root, log, until) }
}

async function dump({ url }: EmbeddedPostgres, root: string): Promise<Backup> {
  await runDocumented('pg_dump --format=directory', root, url)
  return {
    stop: async () => {},
    async restore() {
      const server = await startServer(root, 'empty')
      await runDocumented('pg_restore --jobs', root, server.url)
      return server
    },
  }
}

/** Takes the log over the network as it is written, in the place of a second machine. */
async function receiveLog({ url }: EmbeddedPostgres, root: string): Promise<() => Promise<void>> {
  const command = `exec ${await commands('pg_receivewal', root)}`
  const receiving = spawn('sh', ['-c', command], { stdio: 'ignore', env: environment(url) as NodeJS.ProcessEnv })
  await sleep(2_000)
  if (receiving.exitCode !== null) throw new Error('pg_receivewal ended')
  return async () => {
    if (receiving.exitCode !== null) return
    receiving.kill('SIGINT')
    await once(receiving, 'exit')
  }
}

/** A base backup in a new place, and the log replayed over it. */
async function recover(root: string, log: string, until?: Date): Promise<EmbeddedPostgres> {
  await runDocumented('recovery.signal', root)
  const folder = join(root, 'restored')
  if (process.getuid?.() === 0) await exec('chown', ['-R', 'postgres:postgres', folder, join(log, 'archive')])
  const documented = await documentedSettings('restore_command', log)
  const instant = until?.toISOString().replace('T', ' ').replace('Z', '+00')
  const settings = documented
    .map((setting) => setting.replace(/^(recovery_target_time)=.*/, `$1=${instant}`))
    .filter((setting) => until || !setting.startsWith('recovery_target_time'))
  return startServer(root, 'restored', settings)
}
