import { Client, Connection } from '@temporalio/client'
import { externalTemporal } from '../embedded/backends.ts'
import { type DataFolder, dataFolder, type Running, readOrMakeSecrets, readRunning } from '../embedded/data-folder.ts'
import { firstWorkspace, workspaceNamed } from '../embedded/installation-store.ts'
import { NAMESPACE } from '../embedded/temporal/start-temporal.ts'
import { type Config, readConfig } from '../lib/config.ts'
import { openSql } from '../lib/database.ts'
import { OperatorError } from '../lib/errors.ts'
import { createLog, type Log } from '../lib/log.ts'
import type { Sql } from '../lib/sql.ts'

/** A running installation as an operator's command reaches it: through its database and its Temporal server. */
export type Reached = {
  config: Config
  log: Log
  folder: DataFolder
  sql: Sql
  secretKey: Uint8Array
  running?: Running
  /** Connects when it is first needed. */
  temporal(): Promise<Client>
}

/**
 * Runs `work` on the installation that DATABASE_URL and TEMPORAL_ADDRESS name, else on the one that runs on the data
 * folder; what that one was started with counts, not what this shell has set.
 * @throws OperatorError when there is none
 */
export async function onRunning<T>(work: (reached: Reached) => Promise<T>): Promise<T> {
  const settings = readConfig(process.env)
  const folder = dataFolder(settings.dataDir)
  const running = await readRunning(folder)
  const url = settings.databaseUrl ?? running?.databaseUrl
  if (!url) {
    throw new OperatorError(
      `Pricetape does not run on ${folder.root}. Start it with npm start, or name another folder in PRICETAPE_DATA_DIR.`,
    )
  }
  const config = { ...settings, ...running?.settings }
  const secretKey = settings.secretKey ?? (await readOrMakeSecrets(folder)).secretKey
  const sql = await openSql(url)
  let client: Client | undefined
  try {
    return await work({
      config,
      log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
      folder,
      sql,
      secretKey: Buffer.from(secretKey, 'base64'),
      running,
      temporal: async () => {
        client ??= await connectTemporal(config, running)
        return client
      },
    })
  } finally {
    await client?.connection.close()
    await sql.end({ timeout: 5 })
  }
}

async function connectTemporal(config: Config, running: Running | undefined): Promise<Client> {
  const external = config.temporal.external ? externalTemporal() : undefined
  const namespace = external?.namespace ?? running?.temporalNamespace ?? NAMESPACE
  const address = running?.temporal
  const options = external ? { ...external.connection } : { address }
  try {
    return new Client({ connection: await Connection.connect(options), namespace })
  } catch (cause) {
    throw new OperatorError(`Temporal at ${options.address} does not answer: ${(cause as Error).message}.`, { cause })
  }
}

/** The workspace named by id or name, or the first one. @throws OperatorError */
export async function workspaceOr(sql: Sql, reference: string | undefined): Promise<string> {
  const found = reference === undefined ? await firstWorkspace(sql) : await workspaceNamed(sql, reference)
  if (found) return found
  throw new OperatorError(
    reference === undefined ? 'There is no workspace yet.' : `There is no workspace ${reference}.`,
  )
}
