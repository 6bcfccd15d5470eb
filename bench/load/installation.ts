import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, run } from '../../ops/run.ts'
import { startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { startTemporal } from '../../src/embedded/temporal/start-temporal.ts'
import { freePort, LOOPBACK } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { NO_SOURCES } from '../../test/support/installation.ts'
import { findTemporal } from '../deliveries/servers.ts'
import { environment } from '../topology/environment.ts'
import { temporalPrograms } from '../topology/programs.ts'
import { Service } from '../topology/service.ts'
import { temporalOnPostgres } from '../topology/temporal-server.ts'

export type InstallationOptions = {
  folder: string
  /** The compiled product. */
  code: string
  workers: number
  /** Where Temporal keeps its state: a PostgreSQL server of its own, or the file of `npm start`. */
  temporal: 'postgres' | 'file'
  /** The certificate of the receivers. */
  cert: string
  checkSeconds: number
  /** Checks run only when they are requested. */
  paused?: boolean
  /** Further environment of API and workers. */
  env?: Record<string, string>
}

/** An installation of compiled processes, with two PostgreSQL servers so that each one's cost is known. */
export async function startInstallation(wanted: InstallationOptions) {
  const { folder, code } = wanted
  const database = await postgres(folder, 'database')
  const temporal = await temporalFor(wanted)
  const shared = environment({
    NODE_EXTRA_CA_CERTS: wanted.cert,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    PRICETAPE_CHECK_INTERVAL: String(wanted.checkSeconds),
    ...wanted.env,
  })
  const main = join(code, 'src/main.js')
  await run(process.execPath, [main, '--role', 'migrate'], { env: shared as NodeJS.ProcessEnv })

  async function start(role: 'api' | 'worker', number: number) {
    const [port, probes] = [await freePort(), await freePort()]
    const data = join(folder, `${role}-${number}`)
    await mkdir(data)
    const own = { PORT: String(port), PRICETAPE_METRICS_PORT: String(probes), PRICETAPE_DATA_DIR: data }
    const sources = role === 'worker' ? { PRICETAPE_SOURCES: NO_SOURCES } : {}
    const args = [main, '--role', role, ...(role === 'worker' && wanted.paused ? ['--paused'] : [])]
    const command = { program: process.execPath, args, env: { ...shared, ...sources, ...own } }
    const path = role === 'api' ? '/readyz/reads' : '/readyz/work'
    const ready = async () => (await fetch(`http://${LOOPBACK}:${probes}${path}`)).ok
    const service = new Service(`${role} ${number}`, command, ready)
    await service.start()
    return { service, url: `http://${LOOPBACK}:${port}`, metrics: `http://${LOOPBACK}:${probes}/metrics` }
  }
  const api = await start('api', 1)
  const workers: Awaited<ReturnType<typeof start>>[] = []
  for (let n = 1; n <= wanted.workers; n++) workers.push(await start('worker', n))
  return {
    api,
    workers,
    database,
    temporal,
    /** The processes of each part, as they are now. */
    pids: (): Record<string, number[]> => ({
      api: [api.service.pid],
      ...Object.fromEntries(workers.map(({ service }) => [service.name, [service.pid]])),
      database: [database.pid],
      temporal: [temporal.pid()],
      ...(temporal.store && { 'temporal database': [temporal.store.pid] }),
    }),
    async stop() {
      await Promise.all([api, ...workers].map(({ service }) => service.stop()))
      await temporal.stop()
      await Promise.all([database.stop(), temporal.store?.stop()])
    },
  }
}
export type Installation = Awaited<ReturnType<typeof startInstallation>>

/** The product as `npm run build` makes it, made once. */
export async function compiled(folder = process.env.LOAD_CODE ?? join(ROOT, '.cache/load')): Promise<string> {
  if (!(await readFile(join(folder, 'workflow-bundle.js')).catch(() => undefined)))
    await run('npm', ['run', 'build', '--', folder])
  return folder
}

async function postgres(folder: string, name: string) {
  const server = await startPostgres({
    folder: join(folder, name),
    password: 'load',
    logFile: join(folder, `${name}.log`),
    settings: ['max_connections=200'],
    attributes: 'superuser',
    progress: silent,
  })
  const [pid] = (await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n')
  return { url: server.url, folder: server.folder, pid: Number(pid), stop: () => server.stop() }
}

async function temporalFor({ folder, temporal }: InstallationOptions) {
  if (temporal === 'file') {
    const store = join(folder, 'temporal.db')
    const [port, uiPort] = [await freePort(), await freePort()]
    const binary = await findTemporal()
    const server = await startTemporal({ binary, store, port, uiPort, logFile: join(folder, 'temporal.log') })
    return { address: server.address, pid: () => server.pid, stop: server.stop, store: undefined }
  }
  const store = await postgres(folder, 'temporal-database')
  const programs = await temporalPrograms()
  const { service, address } = await temporalOnPostgres({ folder, ...programs, database: new URL(store.url) })
  await service.start()
  return { address, pid: () => service.pid, stop: () => service.stop(), store }
}
