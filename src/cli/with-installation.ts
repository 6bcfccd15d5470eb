import type { Client } from '@temporalio/client'
import { type DataFolder, dataFolder, type Running, readRunning, readSecrets } from '../embedded/data-folder.ts'
import { type Config, readConfig } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { createIsolation, type Isolation } from '../lib/isolation/isolation.ts'
import { createLog, type Log } from '../lib/log.ts'
import { openSql } from '../lib/postgres/database.ts'
import type { Sql } from '../lib/sql.ts'
import { countForeignSecrets } from '../webhooks/subscriptions/count-foreign-secrets.ts'

/** A running installation as an operator's command reaches it: through its database and its Temporal server. */
export type CommandContext = {
  config: Config
  log: Log
  folder: DataFolder
  sql: Sql
  /** Starts processes when foreign bytes are first read. */
  isolation: Isolation
  /** The key that seals webhook secrets. @throws OperatorError when it is not known or not the one of this database */
  readonly secretKey: Uint8Array
  running?: Running
  /** Connects when it is first needed. @throws OperatorError when Temporal does not answer in time */
  temporal(withinMs?: number): Promise<Client>
}

/**
 * Runs `work` on the installation that DATABASE_URL and TEMPORAL_ADDRESS name, else on the one that runs on the data
 * folder; what that one was started with counts, not what this shell has set.
 * @throws OperatorError when there is none
 */
export async function withInstallation<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
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
  const secretKey = settings.secretKey ?? (await readSecrets(folder))?.secretKey
  await using isolation = createIsolation()
  const sql = await openSql(url)
  let client: Client | undefined
  try {
    const key = await usableKey(sql, secretKey)
    return await work({
      config,
      log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
      folder,
      sql,
      isolation,
      get secretKey() {
        if (key instanceof Uint8Array) return key
        throw new OperatorError(key)
      },
      running,
      temporal: async (withinMs) => {
        client ??= await connectTemporal(config, running, withinMs)
        return client
      },
    })
  } finally {
    await client?.connection.close()
    await sql.end({ timeout: 5 })
  }
}

/** The key where it is known and opens what the database holds; else the sentence that says what to do. */
async function usableKey(sql: Sql, secretKey: string | undefined): Promise<Uint8Array | string> {
  if (secretKey === undefined)
    return 'This command needs the key that seals webhook secrets: set PRICETAPE_SECRET_KEY as the other processes have it.'
  const key = Buffer.from(secretKey, 'base64')
  const foreign = await countForeignSecrets(sql, key).catch(() => 0)
  if (foreign === 0) return key
  return 'The webhook secrets in this database were sealed with another key: set PRICETAPE_SECRET_KEY to that one, or see: npx pricetape secrets reseal --help'
}

/** Loaded for the commands that need it: the client takes longer to load than most commands to run. */
async function connectTemporal(config: Config, running?: Running, withinMs?: number): Promise<Client> {
  const [{ Client }, { openConnection }, { DEFAULT_NAMESPACE, externalTemporal }] = await Promise.all([
    import('@temporalio/client'),
    import('../temporal/connect.ts'),
    import('../temporal/external.ts'),
  ])
  const external = config.temporal.external ? externalTemporal() : undefined
  const namespace = external?.namespace ?? running?.temporalNamespace ?? DEFAULT_NAMESPACE
  const address = running?.temporal
  const connection = external ? external.connection : { address }
  try {
    return new Client({ connection: await openConnection({ connection }, withinMs), namespace })
  } catch (cause) {
    throw new OperatorError(`Temporal at ${connection.address} does not answer: ${(cause as Error).message}.`, {
      cause,
    })
  }
}
