import { createFirstAccountLink } from '../accounts/users/links/create-first-account-link.ts'
import type { Instant } from '../lib/instant.ts'
import { openSql } from '../lib/postgres/database.ts'
import type { Progress } from '../lib/process/progress.ts'
import type { Sql } from '../lib/sql.ts'
import { prepareFirstStart } from './first-start.ts'
import { type RoleContext, report, supervised, untilSuccess } from './role.ts'

export type MigrateOptions = {
  progress: Pick<Progress, 'say'>
  importUntil?: Instant
  /** `npm start` runs the database too, and starts it again. */
  patient?: boolean
}

/** Waits for the database and prepares it, and Temporal where the settings name one; then the process ends. */
export async function runMigrate(
  context: RoleContext,
  { progress, importUntil, patient }: MigrateOptions,
): Promise<void> {
  const { config } = context
  const open = () => openSql(config.databaseUrl!)
  // After a boot the database may come later than we do; a person in front of `npm start` sees the error at once.
  const sql = supervised() && !patient ? await open() : await untilSuccess(context, open, isRefused)
  if (!sql) return
  const secretKey = Buffer.from(config.secretKey!, 'base64')
  const done = await prepareFirstStart(sql, { secretKey, sourcesFile: config.sourcesFile, progress, importUntil })
  if (config.temporal.external) await prepareExternalTemporal(sql, config)
  // The start screen alone shows the link: without it, what we print is kept in a log.
  const firstAccountToken = supervised() ? await createFirstAccountLink(sql) : undefined
  await sql.end({ timeout: 1 })
  report({ ready: true, bootstrapped: { ...done, firstAccountToken } })
  if (supervised()) return
  progress.say(config.temporal.external ? 'The database and Temporal are ready.' : 'The database is ready.')
  if (!done.newKey) return
  progress.say(`API key, shown this once: ${done.newKey}`)
  progress.say('For the link that creates the first account: npx pricetape account link')
}

/** Whether the database answers and refuses: its user, its password or its name is another one. */
function isRefused(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  return code !== undefined && (code.startsWith('28') || code === '3D000')
}

/** Loaded where it is needed: `npm start` with its own Temporal leaves this to its worker. */
async function prepareExternalTemporal(sql: Sql, { checkIntervalMs }: RoleContext['config']): Promise<void> {
  const [{ Client }, { prepareTemporal }, { lazyConnection }, { externalTemporal }] = await Promise.all([
    import('@temporalio/client'),
    import('../monitoring/prepare-temporal.ts'),
    import('../temporal/connect.ts'),
    import('../temporal/external.ts'),
  ])
  const access = externalTemporal()
  const connection = lazyConnection(access)
  try {
    const temporal = new Client({ connection, namespace: access.namespace })
    await prepareTemporal({ sql, connection, temporal, checkIntervalMs })
  } finally {
    await connection.close()
  }
}
