import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode } from '@temporalio/worker'
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { type EmbeddedTemporal, startTemporal } from '../../src/embedded/temporal/start-temporal.ts'
import { freePort } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/progress.ts'
import { BUNDLED } from '../../src/temporal/bundle.ts'

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** An installation whose parts can be killed one by one and come back on the same ports. */
export async function startInstallation(temporalBinary: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-faults-'))
  const codePath = join(folder, 'workflows.js')
  await writeFile(codePath, (await bundleWorkflowCode(BUNDLED)).code)
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()] as const
  const [postgresPort, temporalPort, uiPort, apiPort] = ports
  let postgres: EmbeddedPostgres = await runPostgres(join(folder, 'postgres'), false)
  const store = join(folder, 'temporal.db')
  let temporal: EmbeddedTemporal = await runTemporal()
  const running: { worker?: ChildProcess; api?: ChildProcess } = {}
  let stopping = false

  function runPostgres(place: string, known: boolean) {
    const logFile = join(folder, 'postgres.log')
    return startPostgres({ folder: place, known, port: postgresPort, password: 'faults', logFile, progress: silent })
  }
  function runTemporal() {
    const logFile = join(folder, 'temporal.log')
    return startTemporal({ binary: temporalBinary, store, port: temporalPort, uiPort, logFile })
  }
  /** Keeps one process running: one that ends, killed or not, is followed by another. */
  async function keep(part: 'worker' | 'api', args: string[]) {
    while (!stopping) {
      const child = fork(script(`${part}.ts`), args, {
        stdio: 'ignore',
        env: { ...process.env, NODE_OPTIONS: '' },
        execArgv: ['--import', 'tsx'],
      })
      running[part] = child
      await once(child, 'exit')
      await sleep(200)
    }
  }
  const kept = Promise.all([
    keep('worker', [postgres.url, temporal.address, codePath]),
    keep('api', [postgres.url, String(apiPort)]),
  ])

  return {
    folder,
    get url() {
      return postgres.url
    },
    apiUrl: `http://127.0.0.1:${apiPort}`,
    uiUrl: `http://localhost:${uiPort}`,
    get address() {
      return temporal.address
    },
    async kill(part: 'worker' | 'api' | 'temporal' | 'postgres' | 'store') {
      if (part === 'worker' || part === 'api') return running[part]?.kill('SIGKILL')
      if (part === 'postgres') {
        const [pid] = (await readFile(join(postgres.folder, 'postmaster.pid'), 'utf8')).split('\n')
        process.kill(Number(pid), 'SIGKILL')
        await postgres.exited
        postgres = await runPostgres(postgres.folder, true)
        return
      }
      process.kill(temporal.pid, 'SIGKILL')
      await temporal.exited
      if (part === 'store') for (const end of ['', '-wal', '-shm']) await rm(`${store}${end}`, { force: true })
      temporal = await runTemporal()
    },
    async stop() {
      stopping = true
      running.worker?.kill('SIGKILL')
      running.api?.kill('SIGKILL')
      await kept
      await temporal[Symbol.asyncDispose]()
      await postgres[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
