import { join } from 'node:path'
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { TemporalAccess } from '../context.ts'
import type { Config } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { type DataFolder, type Places, readPlaces, type Secrets } from './data-folder.ts'
import { startPostgres } from './postgres/start-postgres.ts'
import type { Progress } from './process/progress.ts'
import { temporalBinary } from './temporal/find-binary.ts'
import { NAMESPACE, startTemporal } from './temporal/start-temporal.ts'

/** Where the database is, and that it is ours to run or somebody else's. */
export type Database = AsyncDisposable & { url: string; places?: Places; ended?: Promise<string> }

/** Where Temporal is and how it is reached; `uiUrl` only where it is known. */
export type TemporalServer = AsyncDisposable &
  TemporalAccess & {
    uiUrl?: string
    /** What to remember for the next start. */
    places?: Places
    ended?: Promise<string>
  }

const nothing = { [Symbol.asyncDispose]: async () => {} }

/** The database that DATABASE_URL names, else one of our own in the data folder. */
export async function openDatabase(
  config: Config,
  folder: DataFolder,
  secrets: Secrets,
  progress: Progress,
): Promise<Database> {
  if (config.databaseUrl) return { url: config.databaseUrl, ...nothing }
  const places = await readPlaces(folder)
  const server = await startPostgres({
    folder: places.postgresFolder ?? folder.postgres,
    known: places.postgresFolder !== undefined,
    port: places.postgresPort,
    password: secrets.postgresPassword,
    logFile: join(folder.logs, 'postgres.log'),
    progress,
  })
  return { ...server, places: { postgresFolder: server.folder, postgresPort: server.port } }
}

/** The Temporal server that TEMPORAL_ADDRESS (or a profile of @temporalio/envconfig) names, else one of our own. */
export async function openTemporalServer(
  config: Config,
  folder: DataFolder,
  progress: Progress,
): Promise<TemporalServer> {
  if (config.temporal.external) return { ...externalTemporal(), ...nothing }
  const places = await readPlaces(folder)
  const binary = await temporalBinary({ binary: config.temporal.binary, cacheDir: config.cacheDir }, progress)
  const server = await startTemporal({
    binary,
    store: folder.temporal,
    port: places.temporalPort,
    uiPort: config.temporal.uiPort,
    earlierPid: places.temporalPid,
    logFile: join(folder.logs, 'temporal.log'),
  })
  const { uiUrl, ended } = server
  return {
    connection: { address: server.address },
    namespace: NAMESPACE,
    uiUrl,
    places: { temporalPort: server.port, temporalPid: server.pid },
    ended,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

/** How an external Temporal is reached: address, namespace, TLS, API key, as every Temporal tool reads them. */
export function externalTemporal(): TemporalAccess {
  try {
    const { connectionOptions, namespace } = loadClientConnectConfig()
    return { connection: connectionOptions, namespace: namespace ?? NAMESPACE }
  } catch (cause) {
    throw new OperatorError(`The settings for Temporal cannot be read: ${(cause as Error).message}`, { cause })
  }
}
