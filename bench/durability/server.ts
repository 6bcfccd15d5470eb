import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverUser } from '../../src/embedded/postgres/server-user.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { silent } from '../../src/lib/progress.ts'

const PASSWORD = 'durability'
export const ARCHIVE_TIMEOUT_SECONDS = 10

/** Where a trial keeps its servers, backups and the archive. */
export type Folders = { root: string; archive: string; received: string; backup: string }

export async function makeFolders(root: string): Promise<Folders> {
  await chmod(root, 0o755)
  const folders = {
    root,
    archive: join(root, 'archive'),
    received: join(root, 'received'),
    backup: join(root, 'backup'),
  }
  for (const folder of [folders.archive, folders.received, folders.backup]) await mkdir(folder)
  await giveToServer(folders.archive)
  return folders
}

/** PostgreSQL runs as a user of its own where we are root. */
export async function giveToServer(folder: string): Promise<void> {
  const user = await serverUser(silent)
  if (user) await chown(folder, user.uid, user.gid)
}

/** A server that archives its write-ahead log every ten seconds. `name` is the folder of its cluster. */
export function startServer(folders: Folders, name: string, settings: string[] = []): Promise<EmbeddedPostgres> {
  const archive = `archive_command=test ! -f ${folders.archive}/%f && cp %p ${folders.archive}/%f`
  return startPostgres({
    folder: join(folders.root, name),
    known: settings.length > 0,
    password: PASSWORD,
    logFile: join(folders.root, `${name}.log`),
    settings: ['archive_mode=on', archive, `archive_timeout=${ARCHIVE_TIMEOUT_SECONDS}s`, ...settings],
    attributes: 'superuser',
    progress: silent,
  })
}

/** The machine of the database is gone: the server is killed and its disk with it. */
export async function loseServer(server: EmbeddedPostgres): Promise<number> {
  const [pid] = (await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const at = Date.now()
  await server.exited
  // What the server started ends by itself once it is gone.
  await sleep(500)
  await rm(server.folder, { recursive: true, force: true })
  return at
}
