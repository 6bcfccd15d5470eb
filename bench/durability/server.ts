import { chmod, chown, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverUser } from '../../src/embedded/postgres/server-user.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { documentedSettings } from './documented.ts'

const PASSWORD = 'durability'
const ARCHIVE_TIMEOUT = 'archive_timeout=10s'

/** Where a trial keeps its servers, backups and the archive: the place of `/backup` in docs/backup.md. */
export async function makeFolder(root: string): Promise<void> {
  await chmod(root, 0o755)
  await mkdir(join(root, 'archive'))
  await giveToServer(join(root, 'archive'))
}

/** PostgreSQL runs as a user of its own where we are root. */
async function giveToServer(folder: string): Promise<void> {
  const user = await serverUser(silent)
  if (user) await chown(folder, user.uid, user.gid)
}

/** A server that archives its log as documented, but every ten seconds. `name` is the folder of its cluster. */
export async function startServer(root: string, name: string, settings: string[] = []): Promise<EmbeddedPostgres> {
  const archiving = await documentedSettings('archive_mode', root)
  return startPostgres({
    folder: join(root, name),
    known: settings.length > 0,
    password: PASSWORD,
    logFile: join(root, `${name}.log`),
    settings: [...archiving, ARCHIVE_TIMEOUT, ...settings],
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
