import { Client } from '@temporalio/client'
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker'
import type { Config } from './lib/config.ts'
import { openSql } from './lib/database.ts'
import { OperatorError } from './lib/errors.ts'
import { createIsolation, type Isolation } from './lib/isolation/isolation.ts'
import type { Log } from './lib/log.ts'
import type { Sql } from './lib/sql.ts'

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
}

/** An open context with the connection that workers poll on. */
export type OpenContext = Context & AsyncDisposable & { connection: NativeConnection }

const CONNECT_TIMEOUT_MS = 15_000

/**
 * Connects to the database and to Temporal.
 * @throws OperatorError with one sentence for the one that does not answer.
 */
export async function openContext(
  given: Pick<Context, 'config' | 'log' | 'secretKey'>,
  databaseUrl: string,
  temporal: { connection: NativeConnectionOptions; namespace: string },
): Promise<OpenContext> {
  const sql = await openSql(databaseUrl)
  const isolation = createIsolation()
  try {
    const connection = await openConnection(temporal.connection, temporal.namespace)
    return {
      ...given,
      sql,
      temporal: new Client({ connection, namespace: temporal.namespace }),
      connection,
      isolation,
      [Symbol.asyncDispose]: async () => {
        await isolation[Symbol.asyncDispose]()
        await connection.close()
        await sql.end({ timeout: 5 })
      },
    }
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}

async function openConnection(options: NativeConnectionOptions, namespace: string): Promise<NativeConnection> {
  const deadline = Date.now() + CONNECT_TIMEOUT_MS
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), CONNECT_TIMEOUT_MS).unref()
  })
  try {
    const connection = await Promise.race([NativeConnection.connect(options), late])
    await connection.withDeadline(deadline, () => connection.workflowService.describeNamespace({ namespace }))
    return connection
  } catch (cause) {
    throw new OperatorError(
      `Temporal at ${options.address ?? 'its default address'} does not answer for namespace ${namespace}: ${(cause as Error).message}. Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.`,
      { cause },
    )
  }
}
