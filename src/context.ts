import type { Client } from '@temporalio/client'
import type { Config } from './lib/config.ts'
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
}
