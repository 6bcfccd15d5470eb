import type { Sql } from '../lib/sql.ts'
import { insertCheckRun } from './check-run-store.ts'

export type FinishedCheck = {
  runId: string
  durationMs: number
  problems: string[]
  /** What its round did, where it had one: how many of its shards ended before everything was sent. */
  delivered?: { cutShort: number }
}

/**
 * Records a check that has just finished, so that every API node can tell that checks go on. A second record of the
 * same run changes nothing.
 */
export const recordCheckRun = (sql: Sql, run: FinishedCheck): Promise<void> => insertCheckRun(sql, run)
