import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { startTemporal } from '../../src/embedded/temporal/start-temporal.ts'
import { freePort } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'

/** The servers of an installation as `npm start` runs them, in a folder of their own. */
export async function startServers() {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-bench-'))
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    password: 'bench',
    logFile: join(folder, 'postgres.log'),
    settings: ['shared_preload_libraries=pg_stat_statements'],
    attributes: 'superuser',
    progress: silent,
  })
  const temporal = await startTemporal({
    binary: await findTemporal(),
    store: join(folder, 'temporal.db'),
    port: await freePort(),
    uiPort: await freePort(),
    logFile: join(folder, 'temporal.log'),
  })
  return { folder, postgres, temporal }
}

/** A certificate for 127.0.0.1; the sender has to be started with it in NODE_EXTRA_CA_CERTS. */
export function makeCertificate(folder: string): { key: string; cert: string } {
  const key = join(folder, 'key.pem')
  const cert = join(folder, 'cert.pem')
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject],
    { stdio: 'ignore' },
  )
  return { key, cert }
}

export async function startReceiver({ key, cert }: { key: string; cert: string }) {
  const child = fork(join(import.meta.dirname, 'receiver.ts'), [key, cert])
  type Ports = Record<'wellPort' | 'latePort' | 'failingPort' | 'deadPort', number>
  const [ports] = (await once(child, 'message')) as [Ports]
  return {
    ...ports,
    pid: child.pid!,
    /** How many requests and connections there were since the start. */
    async seen(): Promise<{ received: number; connections: number }> {
      child.send('?')
      const [answer] = (await once(child, 'message')) as [{ received: number; connections: number }]
      return answer
    },
    stop: () => child.disconnect(),
  }
}

/** Loaded late: only a benchmark without PRICETAPE_TEMPORAL_BINARY looks for the program as `npm start` does. */
export async function findTemporal(): Promise<string> {
  if (process.env.PRICETAPE_TEMPORAL_BINARY) return process.env.PRICETAPE_TEMPORAL_BINARY
  const { temporalBinary } = await import('../../src/embedded/temporal/find-binary.ts')
  return temporalBinary({}, silent)
}
