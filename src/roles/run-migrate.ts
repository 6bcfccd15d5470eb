import { Client, Connection } from '@temporalio/client'
import type { Progress } from '../embedded/process/progress.ts'
import { openSql } from '../lib/database.ts'
import type { Instant } from '../lib/instant.ts'
import { requireTemporal } from '../temporal/connect.ts'
import { externalTemporal } from '../temporal/external.ts'
import { ensureSchedules } from '../temporal/schedules.ts'
import { ensureSearchAttributes } from '../temporal/search-attributes.ts'
import { bootstrap } from './bootstrap.ts'
import { type RoleContext, report, supervised } from './role.ts'

/** Prepares the database, and Temporal where the settings name one; then the process ends. */
export async function runMigrate(
  { config }: RoleContext,
  { progress, importUntil }: { progress: Pick<Progress, 'say'>; importUntil?: Instant },
): Promise<void> {
  const sql = await openSql(config.databaseUrl!)
  const secretKey = Buffer.from(config.secretKey!, 'base64')
  const done = await bootstrap(sql, { secretKey, sourcesFile: config.sourcesFile, progress, importUntil })
  await sql.end({ timeout: 1 })
  if (config.temporal.external) await prepareTemporal(config)
  report({ ready: true, bootstrapped: done })
  if (supervised()) return
  progress.say(config.temporal.external ? 'The database and Temporal are ready.' : 'The database is ready.')
  if (done.newKey) progress.say(`API key, shown this once: ${done.newKey}`)
}

async function prepareTemporal(config: RoleContext['config']): Promise<void> {
  const { connection: options, namespace } = externalTemporal()
  const connection = Connection.lazy(options)
  try {
    await requireTemporal(connection, namespace)
    await ensureSearchAttributes(connection, namespace)
    await ensureSchedules(new Client({ connection, namespace }), config)
  } finally {
    await connection.close()
  }
}
