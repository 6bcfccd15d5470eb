import { resolve } from 'node:path'
import type { Config } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { apiPortMustBeFree } from '../lib/ports.ts'
import type { FirstStartResult } from '../roles/first-start.ts'
import type { RoleReport } from '../roles/role.ts'
import { buildApp } from './build-app.ts'
import {
  type DataFolder,
  dataFolder,
  lockDataFolder,
  makeDataFolder,
  readOrMakeSecrets,
  readSecrets,
  rememberPorts,
  type Secrets,
  writeRunningFile,
} from './data-folder.ts'
import { monitoringAt, monitorSupervisor, type SupervisorState } from './monitor-supervisor.ts'
import type { Environment } from './process/environment.ts'
import { type KeptService, keepRunning, type Service } from './process/keep-running.ts'
import { startFirst } from './process/start-again.ts'
import { PREPARATION, type RoleProcess, runMigrate, startRole } from './role-processes.ts'
import { keepPostgres, keepTemporal, type Start, uiPortMustBeFree } from './servers.ts'
import { settleSecretKey } from './settle-secret-key.ts'
import { TemporalPortTakenError } from './temporal/start-temporal.ts'

/** A running installation, as `npm start` shows it. */
export type Installation = {
  folder: DataFolder
  url: string
  temporalUi?: string
  temporal: { address?: string; namespace: string }
  databaseUrl: string
  secretKey: string
  bootstrapped: FirstStartResult
}

export type SuperviseOptions = Omit<Start, 'config' | 'folder'> & {
  /** The environment that the roles' settings are taken from. */
  env: Environment
  /** Imports history up to here only: for demonstrations of what came after. */
  importUntil?: string
  /** Checks run only when they are requested. */
  schedulesPaused?: boolean
}

/**
 * Runs a whole installation: PostgreSQL and Temporal (unless the settings name others), the API and the worker, each in
 * a process of its own that is started again when it dies. Calls `use` once everything is up, and stops everything in
 * order when that is done, or when a process ends for a reason that starting it again does not fix.
 * @throws OperatorError with one sentence for what keeps it from starting.
 */
export async function supervise<T>(
  config: Config,
  options: SuperviseOptions,
  use: (installation: Installation) => Promise<T>,
): Promise<T> {
  const folder = dataFolder(config.dataDir)
  await apiPortMustBeFree(config.port)
  await secretsMustBeKnown(config, folder)
  await makeDataFolder(folder)
  await using _lock = await lockDataFolder(folder)
  for (let start = 1; ; start++) {
    try {
      return await superviseOnce({ ...options, config, folder }, options, use)
    } catch (error) {
      if (!(error instanceof TemporalPortTakenError) || start === MOST_STARTS) throw error
      options.progress.say('Another program took a port of Temporal’s at the same moment: starting again with another.')
    }
  }
}

/** The roles are given Temporal's port before it listens there, so all starts again where another program takes it. */
const MOST_STARTS = 5

async function superviseOnce<T>(
  start: Start,
  options: SuperviseOptions,
  use: (installation: Installation) => Promise<T>,
): Promise<T> {
  const secrets = await readOrMakeSecrets(start.folder)
  const stops: Stops = { roles: [], servers: [], refused: [], kept: new Map(), started: false }
  try {
    await using _monitoring = await monitorSupervisor(start.config, start.log, stops)
    const installation = await startAll(start, options, secrets, stops)
    stops.started = true
    return await Promise.race([use(installation), ...stops.refused])
  } finally {
    await Promise.all(stops.roles.map((stop) => stop()))
    await Promise.all(stops.servers.map((stop) => stop()))
  }
}

type Stops = Record<'roles' | 'servers', (() => Promise<void>)[]> & SupervisorState & { refused: Promise<never>[] }

async function startAll(
  start: Start,
  options: SuperviseOptions,
  secrets: Secrets,
  stops: Stops,
): Promise<Installation> {
  const { config, folder, log, progress } = start
  const keep = <S extends Service>(kind: 'roles' | 'servers', name: string, kept: KeptService<S>) => {
    stops.kept.set(name, kept)
    stops[kind].push(kept.stop)
    stops.refused.push(kept.refused)
    kept.first.catch(() => {})
    return kept.first
  }
  if (!config.temporal.external) await uiPortMustBeFree(start)
  // Each is known to the stop as soon as it runs, also where another one fails.
  const [temporal, postgres] = await Promise.all([
    config.temporal.external
      ? undefined
      : keepTemporal(start).then((made) => ({ ...made, first: keep('servers', 'temporal', made.kept) })),
    config.databaseUrl
      ? undefined
      : keepPostgres(start, secrets).then((kept) => ({ first: keep('servers', 'postgresql', kept) })),
    buildApp(progress),
  ])
  const server = await postgres?.first
  if (server) {
    // The usual folder is not remembered: it moves with the data folder.
    const postgresFolder = server.folder === folder.postgres ? undefined : server.folder
    await rememberPorts(folder, { postgresFolder, postgresPort: server.port })
  }
  const databaseUrl = server?.url ?? config.databaseUrl!
  const kept = await settleSecretKey(folder, databaseUrl, config.secretKey)
  const secretKey = config.secretKey ?? kept
  const given = { DATABASE_URL: databaseUrl, PRICETAPE_SECRET_KEY: secretKey, ...logSettings(config) }
  const ours = temporal && { TEMPORAL_ADDRESS: temporal.address, PRICETAPE_TEMPORAL_UI_URL: temporal.uiUrl }
  const env = { ...ours, ...options.env, ...given, ...(temporal && { TEMPORAL_ADDRESS: temporal.address }) }
  const migrateEnv = { ...env, ...(temporal && { TEMPORAL_ADDRESS: undefined }) }
  const role = (name: 'api' | 'worker', title: string, args: string[]) =>
    keep(
      'roles',
      name,
      keepRunning<RoleProcess>(
        title,
        () => startRole(name, { env: { ...env, ...monitoringPort(config, name) }, args, progress, logs: folder.logs }),
        log,
      ),
    )
  const everything = Promise.all([
    prepareDatabase(start, { env: migrateEnv, args: migrateArguments(options, server !== undefined) }, stops),
    role('api', 'The API', []).then((started) => started.report),
    role('worker', 'The worker', workerArguments(options, temporal !== undefined)),
    temporal?.first,
  ])
  // A process that was ready and then refuses to run ends the start too, also while others still start.
  const [migrated, api] = await Promise.race([everything, ...stops.refused])
  const installation: Installation = {
    folder,
    url: api.url!,
    temporalUi: temporal?.uiUrl,
    temporal: { address: temporal?.address, namespace: config.temporal.namespace },
    databaseUrl,
    secretKey,
    bootstrapped: migrated.bootstrapped!,
  }
  await writeRunningFile(folder, runningFile(config, installation))
  return installation
}

/** Prepares the database in a process that ends by itself; one that is killed is started again. */
async function prepareDatabase(
  { folder: { logs }, log, progress }: Start,
  given: { env: Environment; args: string[] },
  stops: Stops,
): Promise<RoleReport> {
  const stopping = new AbortController()
  let stopRunning = async () => {}
  stops.roles.push(async () => {
    stopping.abort()
    await stopRunning()
  })
  const prepare = () => runMigrate({ ...given, progress, logs }, (stop) => (stopRunning = stop))
  return startFirst({ name: PREPARATION, log, stopping: stopping.signal }, prepare)
}

const migrateArguments = ({ importUntil }: SuperviseOptions, ourDatabase: boolean): string[] => [
  ...(importUntil === undefined ? [] : ['--import-until', importUntil]),
  ...(ourDatabase ? ['--patient'] : []),
]

const workerArguments = ({ schedulesPaused }: SuperviseOptions, only: boolean): string[] => [
  ...(schedulesPaused ? ['--paused'] : []),
  ...(only ? ['--only-worker'] : []),
]

function monitoringPort(config: Config, name: 'api' | 'worker'): Environment {
  const at = monitoringAt(config, name)
  return at ? { PRICETAPE_METRICS_PORT: String(at.port) } : {}
}

/** A role writes its log through us, so it cannot see whether a person reads it at a terminal. */
const logSettings = ({ logFormat }: Config): Environment => ({
  LOG_FORMAT: logFormat ?? (process.stderr.isTTY ? 'text' : 'json'),
})

/** @throws OperatorError instead of inventing a key for a database that may hold secrets sealed with another. */
async function secretsMustBeKnown({ databaseUrl, secretKey }: Config, folder: DataFolder): Promise<void> {
  if (!databaseUrl || secretKey || (await readSecrets(folder))) return
  throw new OperatorError(
    'DATABASE_URL names a database of your own, so PRICETAPE_SECRET_KEY must be set too: the key that it was used with, or a new one for an empty database (openssl rand -base64 32).',
  )
}

function runningFile(config: Config, { url, temporalUi, temporal, databaseUrl }: Installation) {
  const { allowPrivateEndpoints, offline, dnsServers, publicUrl, publicPages } = config
  const sourcesFile = config.sourcesFile === undefined ? undefined : resolve(config.sourcesFile)
  return {
    pid: process.pid,
    url,
    temporalUi,
    temporal: temporal.address,
    temporalNamespace: temporal.namespace,
    databaseUrl,
    startedAt: new Date().toISOString(),
    settings: { allowPrivateEndpoints, offline, dnsServers, sourcesFile, publicUrl, publicPages },
  }
}
