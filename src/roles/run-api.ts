import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import { portTaken } from '../lib/ports.ts'
import { tracedSql } from '../lib/postgres/traced-sql.ts'
import { connect } from '../lib/sql.ts'
import { createMetrics } from '../monitoring/metrics/metrics.ts'
import { appFolder } from '../pages/app-folder.ts'
import { buildServer } from '../server.ts'
import { unpreparedReason } from './database-prepared.ts'
import { monitorApi, trace } from './monitor-process.ts'
import { createWorkflowNotifier } from './notify-workflows.ts'
import { type RoleContext, report, supervised, untilSuccess } from './role.ts'

/** Requests in hand have this long to be answered when the process stops. */
const CLOSE_WITHIN_MS = 5 * SECOND

/**
 * Serves the API until it is asked to stop. It listens at once: while the database is away or not prepared yet,
 * requests get 503.
 */
export async function runApi(context: RoleContext): Promise<void> {
  const { config, log, stop } = context
  await using _tracing = config.tracing && (await trace(config.tracing, 'api'))
  const pool = connect(config.databaseUrl!, { name: 'pricetape-api', max: config.databasePool })
  const sql = config.tracing ? tracedSql(pool) : pool
  const replica = config.replicaUrl
    ? connect(config.replicaUrl, { name: 'pricetape-api', max: config.databasePool })
    : undefined
  const metrics = config.monitoring && createMetrics('api')
  await using workflows = createWorkflowNotifier()
  let unavailable: string | undefined = 'The service is starting.'
  await using _monitoring = metrics && (await monitorApi({ config, log, sql, metrics, unavailable: () => unavailable }))
  const server = await buildServer({
    config,
    log,
    sql,
    replica,
    metrics,
    workflows,
    appFolder: appFolder(),
    unavailable: () => unavailable,
  })
  const url = await listen(server, config, log)
  const prepared = untilSuccess(context, async () => {
    unavailable = await unpreparedReason(sql)
    if (unavailable) throw new OperatorError(unavailable)
    report({ ready: true, url })
    if (!supervised()) log.info(`The API answers at ${url}.`)
    return url
  })
  await Promise.race([stop, prepared.then(() => stop)])
  await Promise.race([server.close(), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
}

type Server = Awaited<ReturnType<typeof buildServer>>

async function listen(server: Server, { host, port, publicUrl }: Config, log: Log): Promise<string> {
  const { level } = log
  try {
    // The start screen says where the API listens; the framework would say it once more in the middle of it.
    if (level === 'info') log.level = 'warn'
    await server.listen({ host, port })
  } catch (error) {
    await server.close()
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portTaken(port)
    throw new OperatorError(`The API cannot listen on ${host}:${port}: ${(error as Error).message}.`, { cause: error })
  } finally {
    log.level = level
  }
  const address = server.server.address()
  const bound = address !== null && typeof address === 'object' ? address.port : port
  return publicUrl ?? `http://localhost:${bound}`
}
