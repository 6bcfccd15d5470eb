import { Client, type Connection } from '@temporalio/client'
import type { Config } from './lib/config.ts'
import { createIsolation, type Isolation } from './lib/isolation/isolation.ts'
import type { Log } from './lib/log.ts'
import { openSql } from './lib/postgres/database.ts'
import { tracedSql } from './lib/postgres/traced-sql.ts'
import type { Sql } from './lib/sql.ts'
import { createMailer } from './mail/create-mailer.ts'
import type { Mailer } from './mail/schema.ts'
import type { Metrics } from './monitoring/metrics/metrics.ts'
import { lazyConnection, type TemporalAccess } from './temporal/connect.ts'

/**
 * Everything the edges need, built once by an entry point and handed down.
 * Edges (api, app, activities) take this type and nothing else of this file.
 */
export type Context = {
  config: Config
  log: Log
  sql: Sql
  temporal: Client
  /** 32 bytes that seal webhook secrets at rest. */
  secretKey: Uint8Array
  /** Processes in which foreign bytes are read. */
  isolation: Isolation
  /** What this process counts; absent where it listens for no scraper. */
  metrics?: Metrics
  /** Sends mail; absent where no mail server is set. */
  mailer?: Mailer
}

/** An open context. Workers poll on a connection of their own, made from `access`. */
export type OpenContext = Context & AsyncDisposable & { connection: Connection; access: TemporalAccess }

/**
 * Connects to the database. The connection to Temporal is made when it is first used, and made again when it is lost:
 * an API node starts and serves reads without Temporal.
 * @throws OperatorError with one sentence when the database does not let us in
 */
export async function openContext(
  given: Pick<Context, 'config' | 'log' | 'secretKey' | 'metrics'>,
  databaseUrl: string,
  access: TemporalAccess,
): Promise<OpenContext> {
  const pool = await openSql(databaseUrl, { name: 'pricetape-worker', max: given.config.databasePool })
  const sql = given.config.tracing ? tracedSql(pool) : pool
  const isolation = createIsolation()
  const mailer = given.config.mail && createMailer(given.config.mail)
  const connection = lazyConnection(access)
  return {
    ...given,
    sql,
    temporal: new Client({ connection, namespace: access.namespace }),
    connection,
    access,
    isolation,
    ...(mailer && { mailer }),
    [Symbol.asyncDispose]: async () => {
      await isolation[Symbol.asyncDispose]()
      await mailer?.[Symbol.asyncDispose]()
      await connection.close()
      await sql.end({ timeout: 5 })
    },
  }
}
