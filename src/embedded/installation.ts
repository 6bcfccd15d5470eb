import { resolve } from 'node:path'
import { type OpenContext, openContext } from '../context.ts'
import type { Config } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import { migrate } from '../lib/migrate.ts'
import { requireTemporal } from '../temporal/connect.ts'
import { checkSoon, ensureSchedules } from '../temporal/schedules.ts'
import { ensureSearchAttributes } from '../temporal/search-attributes.ts'
import { openDatabase, openTemporalServer } from './backends.ts'
import { readyStore } from './bootstrap.ts'
import {
  announce,
  type DataFolder,
  dataFolder,
  lockDataFolder,
  makeDataFolder,
  readOrMakeSecrets,
  rememberPlaces,
} from './data-folder.ts'
import type { Imported } from './import-history.ts'
import type { Progress } from './process/progress.ts'
import { type Api, openApi, openWorkers, portMustBeFree, type RunningWorkers } from './servers.ts'

/** What a process of an installation does: everything, or one part of it among many machines. */
export const ROLES = ['all', 'api', 'worker', 'migrate'] as const
export type Role = (typeof ROLES)[number]

export type Installation = {
  ctx: OpenContext
  folder: DataFolder
  url?: string
  temporalUi?: string
  /** The full value of the key made on a first start. */
  newKey?: string
  imported: Imported
  /** Rejects when a part that everything stands on ended by itself. */
  broken: Promise<never>
}
export type StartOptions = {
  role: Role
  progress: Progress
  log: Log
  /** Imports history up to here only: for demonstrations of what came after. */
  importUntil?: Instant
  /** Checks run only when they are asked for. */
  timetablesPaused?: boolean
}

/**
 * Starts an installation, hands it over, and stops it in order when `use` is done or fails.
 * @throws OperatorError with one sentence for what keeps it from starting.
 */
export async function runInstallation<T>(
  settings: Config,
  options: StartOptions,
  use: (installation: Installation) => Promise<T>,
): Promise<T> {
  const { role, progress, log } = options
  const folder = dataFolder(settings.dataDir)
  checkRole(settings, role)
  if (servesApi(role)) await portMustBeFree(settings)
  await makeDataFolder(folder)
  await using _lock = role === 'all' ? await lockDataFolder(folder) : nothing
  const secrets = await readOrMakeSecrets(folder)
  // Made while the servers start; its failure is told where it is used.
  const bundle = runsWork(role) ? bundled(log) : undefined
  bundle?.catch(() => {})
  const [database, server] = await together(
    openDatabase(settings, folder, secrets, progress),
    openTemporalServer(settings, folder, progress),
  )
  await using _database = database
  await using _server = server
  await rememberPlaces(folder, { ...database.places, ...server.places })
  const config = { ...settings, temporal: { ...settings.temporal, namespace: server.namespace } }
  const secretKey = Buffer.from(settings.secretKey ?? secrets.secretKey, 'base64')
  await using ctx = await openContext({ config, log, secretKey }, database.url, server)

  await migrate(ctx.sql)
  const withKey = role === 'all' || role === 'migrate'
  const { imported, newKey } = await readyStore(ctx, { progress, importUntil: options.importUntil, withKey })
  if (role !== 'api') {
    await requireTemporal(ctx.connection, server.namespace)
    await ensureSearchAttributes(ctx.connection, server.namespace)
    await ensureSchedules(ctx.temporal, config, options.timetablesPaused)
  }
  await using workers: Partial<RunningWorkers> & AsyncDisposable = bundle
    ? await openWorkers(ctx, await bundle)
    : nothing
  await using api: Partial<Api> & AsyncDisposable = servesApi(role) ? await openApi(ctx) : nothing
  const { url } = api
  if (role === 'all') {
    await announce(folder, {
      pid: process.pid,
      url,
      temporalUi: server.uiUrl,
      temporal: server.connection.address,
      temporalNamespace: server.namespace,
      databaseUrl: database.url,
      startedAt: new Date().toISOString(),
      settings: settingsOf(config),
    })
    if (!options.timetablesPaused) await checkSoon(ctx.temporal)
  }
  const broken = Promise.race([
    ended('PostgreSQL', database.ended),
    ended('The Temporal server', server.ended),
    workers.failed ?? never,
  ])
  broken.catch(() => {})
  return await use({ ctx, folder, url, temporalUi: server.uiUrl, newKey, imported, broken })
}

const bundled = async (log: Log) => (await import('../temporal/bundle.ts')).bundleWorkflows(log)

const nothing: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} }
const never = new Promise<never>(() => {})
const servesApi = (role: Role): boolean => role === 'all' || role === 'api'
const runsWork = (role: Role): boolean => role === 'all' || role === 'worker'

function settingsOf({ allowPrivateEndpoints, offline, dnsServers, sourcesFile, publicUrl }: Config) {
  const file = sourcesFile === undefined ? undefined : resolve(sourcesFile)
  return { allowPrivateEndpoints, offline, dnsServers, sourcesFile: file, publicUrl }
}

function checkRole(config: Config, role: Role): void {
  if (role === 'all') return
  const missing = [
    !config.databaseUrl && 'DATABASE_URL',
    !config.temporal.external && 'TEMPORAL_ADDRESS',
    !config.secretKey && 'PRICETAPE_SECRET_KEY',
  ].filter(Boolean)
  if (missing.length > 0) {
    throw new OperatorError(`A process with --role ${role} shares its servers with others: set ${missing.join(', ')}.`)
  }
}

/** Both or neither: when one does not start, the other is stopped before the failure is told. */
async function together<A extends AsyncDisposable, B extends AsyncDisposable>(
  a: Promise<A>,
  b: Promise<B>,
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([a, b])
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return [first.value, second.value]
  for (const one of [first, second]) if (one.status === 'fulfilled') await one.value[Symbol.asyncDispose]()
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason
}

async function ended(what: string, end: Promise<string> | undefined): Promise<never> {
  if (!end) return never
  const said = await end
  const last = said.split('\n').findLast((line) => line.trim() !== '')
  throw new OperatorError(
    `${what} ended by itself${last ? ` (${last.trim().slice(0, 200)})` : ''}. Nothing is lost: start again.`,
  )
}
