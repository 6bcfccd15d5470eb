import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { run } from '../../ops/run.ts'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { startTemporal } from '../../src/embedded/temporal/start-temporal.ts'
import { freePort, LOOPBACK } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { NO_SOURCES } from '../../test/support/installation.ts'
import { environment } from '../topology/environment.ts'
import { Service } from '../topology/service.ts'

const CHECK_SECONDS = 5

/** Temporal, one API and one worker process, all as compiled code, beside a database that may be replaced. */
export async function startInstallation(root: string, code: string, databaseUrl: string) {
  const settings = { binary: process.env.PRICETAPE_TEMPORAL_BINARY, cacheDir: process.env.PRICETAPE_CACHE_DIR }
  const options = {
    binary: await temporalBinary(settings, silent),
    store: join(root, 'temporal.db'),
    port: await freePort(),
    uiPort: await freePort(),
    logFile: join(root, 'temporal.log'),
  }
  let temporal = await startTemporal(options)
  const [port, apiProbes, workerProbes] = [await freePort(), await freePort(), await freePort()]
  const env = (url: string, probes: number) =>
    environment({
      PORT: String(port),
      DATABASE_URL: url,
      TEMPORAL_ADDRESS: temporal.address,
      PRICETAPE_METRICS_PORT: String(probes),
      PRICETAPE_DATA_DIR: join(root, 'data'),
      PRICETAPE_CHECK_INTERVAL: String(CHECK_SECONDS),
      PRICETAPE_SOURCES: NO_SOURCES,
    })
  const command = (role: string, url: string, probes: number) => ({
    program: process.execPath,
    args: [join(code, 'src/main.js'), '--role', role],
    env: env(url, probes),
  })
  const { program, args, env: given } = command('migrate', databaseUrl, apiProbes)
  await run(program, args, { env: given as unknown as NodeJS.ProcessEnv })
  const ready = (probes: number, path: string) => async () => (await fetch(`http://${LOOPBACK}:${probes}${path}`)).ok
  const api = new Service('api', command('api', databaseUrl, apiProbes), ready(apiProbes, '/readyz/reads'))
  const worker = new Service(
    'worker',
    command('worker', databaseUrl, workerProbes),
    ready(workerProbes, '/readyz/work'),
  )
  await Promise.all([api.start(), worker.start()])
  return {
    url: `http://${LOOPBACK}:${port}`,
    async client() {
      const connection = await Connection.connect({ address: temporal.address })
      return { client: new Client({ connection }), close: () => connection.close() }
    },
    /** Temporal loses its store too, and starts with an empty one. */
    async emptyTemporal() {
      await temporal.stop()
      for (const end of ['', '-wal', '-shm']) await rm(`${options.store}${end}`, { force: true })
      temporal = await startTemporal(options)
    },
    /** Starts both processes again on another database. */
    async moveTo(url: string) {
      await Promise.all([
        api.replace(command('api', url, apiProbes)),
        worker.replace(command('worker', url, workerProbes)),
      ])
    },
    logged: () => [...api.lines, ...worker.lines],
    async stop() {
      await Promise.all([api.stop(), worker.stop()])
      await temporal.stop()
    },
  }
}
