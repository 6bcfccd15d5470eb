import { join } from 'node:path'
import type { Config } from '../lib/config.ts'
import type { Log } from '../lib/log.ts'
import { LOOPBACK, portIsFree } from '../lib/ports.ts'
import type { Progress } from '../lib/process/progress.ts'
import { type DataFolder, readRememberedPorts, rememberPorts, type Secrets, writeSecrets } from './data-folder.ts'
import { claimCluster, ownCluster } from './postgres/cluster-folder.ts'
import { type EmbeddedPostgres, startPostgres } from './postgres/start-postgres.ts'
import { type KeptService, keepRunning } from './process/keep-running.ts'
import { temporalBinary } from './temporal/find-binary.ts'
import {
  chooseTemporalPort,
  type EmbeddedTemporal,
  endOrphanedTemporal,
  setStoreAside,
  startTemporal,
  type TemporalOptions,
  TemporalStartError,
  uiPortTaken,
} from './temporal/start-temporal.ts'

export type Start = { config: Config; folder: DataFolder; log: Log; progress: Progress }

/** The database server of the data folder, kept running: started again in the same folder, on the same port. */
export async function keepPostgres(
  { config, folder, log, progress }: Start,
  { nextPostgresPassword, ...secrets }: Secrets,
): Promise<KeptService<EmbeddedPostgres>> {
  const remembered = await readRememberedPorts(folder)
  const known = await ownCluster(folder, remembered.postgresFolder)
  const password = nextPostgresPassword ?? secrets.postgresPassword
  let earlier: EmbeddedPostgres | undefined
  const start = async () => {
    const first = earlier === undefined
    earlier = await startPostgres({
      folder: earlier?.folder ?? known ?? folder.postgres,
      known: (earlier?.folder ?? known) !== undefined,
      port: earlier?.port ?? remembered.postgresPort,
      fixedPort: earlier !== undefined,
      password,
      formerPassword: nextPostgresPassword && secrets.postgresPassword,
      logFile: join(folder.logs, 'postgres.log'),
      cacheDir: config.cacheDir,
      progress,
    })
    if (!first) return earlier
    return orStopped(earlier, async ({ folder: cluster }) => {
      await claimCluster(folder, cluster)
      // Only now does the role certainly have its next password, so only now may the former one be forgotten.
      if (nextPostgresPassword) await writeSecrets(folder, { ...secrets, postgresPassword: password })
    })
  }
  return keepRunning('PostgreSQL', start, log)
}

/** Does what belongs to the start of a server; where that fails, nothing is left running. */
async function orStopped<S extends { stop(): Promise<void> }>(
  server: S,
  work: (server: S) => Promise<void>,
): Promise<S> {
  try {
    await work(server)
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Looks at the port of the Temporal UI before anything heavy is started. @throws OperatorError when it is taken. */
export async function uiPortMustBeFree({ config, folder }: Start): Promise<void> {
  await endOrphanedTemporal((await readRememberedPorts(folder)).temporalPid, folder.temporal)
  if (!(await portIsFree(config.temporal.uiPort))) throw uiPortTaken(config.temporal.uiPort)
}

/** The Temporal server of the data folder, kept running on a port that is known before it answers. */
export async function keepTemporal({ config, folder, log, progress }: Start) {
  const { binary, uiPort } = config.temporal
  const program = await temporalBinary({ binary, cacheDir: config.cacheDir }, progress)
  const remembered = await readRememberedPorts(folder)
  const port = await chooseTemporalPort(remembered.temporalPort)
  const logFile = join(folder.logs, 'temporal.log')
  const options = { binary: program, store: folder.temporal, port, uiPort, logFile }
  // A store that was there before our start is the operator's to judge, unless no server ever answered with it. One that
  // breaks meanwhile must stop nothing.
  let replaceable: string[] = remembered.temporalPid === undefined ? ['unfinished'] : []
  const start = async () => {
    const server = await startOnUsableStore(options, replaceable, log)
    replaceable = ['unfinished', 'damaged']
    return orStopped(server, ({ pid }) => rememberPorts(folder, { temporalPort: port, temporalPid: pid }))
  }
  const kept: KeptService<EmbeddedTemporal> = keepRunning('Temporal', start, log)
  return { kept, address: `${LOOPBACK}:${port}`, uiUrl: `http://localhost:${uiPort}` }
}

/** Starts Temporal, on a new store where its own has such a fault: the database starts again what waited in it. */
async function startOnUsableStore(options: TemporalOptions, faults: string[], log: Log): Promise<EmbeddedTemporal> {
  try {
    return await startTemporal(options)
  } catch (error) {
    if (!(error instanceof TemporalStartError && error.storeFault && faults.includes(error.storeFault))) throw error
    const aside = await setStoreAside(options.store)
    log.error(
      `Temporal’s store was damaged and is kept as ${aside}. A new one is made; pending deliveries are started again from the database.`,
    )
    return startTemporal(options)
  }
}
