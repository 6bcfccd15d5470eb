import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { silent } from '../../src/lib/process/progress.ts'

const RESTART_MS = 1_000
const RETRY_MS = 500

/** PostgreSQL, started again a second after it was killed, as a service manager does it. */
export async function postgresServer(folder: string) {
  const options = {
    folder: join(folder, 'postgres'),
    password: 'topology',
    logFile: join(folder, 'postgres.log'),
    settings: ['max_connections=300'],
    attributes: 'superuser' as const,
    progress: silent,
  }
  let server: EmbeddedPostgres = await startPostgres(options)
  const { url, port } = server

  async function startAgain(): Promise<void> {
    await sleep(RESTART_MS)
    for (;;) {
      const started = await startPostgres({
        ...options,
        folder: server.folder,
        known: true,
        port,
        fixedPort: true,
      }).catch(() => undefined)
      if (started) {
        server = started
        return
      }
      await sleep(RETRY_MS)
    }
  }
  return {
    name: 'PostgreSQL',
    url: new URL(url),
    async kill() {
      const [pid] = (await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      void startAgain()
    },
    stop: () => server.stop(),
  }
}
