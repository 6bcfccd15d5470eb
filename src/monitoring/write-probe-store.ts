import { randomBytes } from 'node:crypto'
import type { Sql } from '../lib/sql.ts'

/** Enough that the database has to ask the disk for room; random, because compressed bytes would not. */
const PROBE_BYTES = 16 * 1024
/** Nodes that probe at once wait for each other no longer than this. */
const PROBE_LOCK_MS = 500

/**
 * Writes to the disk and takes it back. The table gets a new file for it, so that free room in an old one hides
 * nothing.
 * @throws PostgresError when the database cannot write
 */
export async function probeWrite(sql: Sql): Promise<void> {
  await sql
    .begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${String(PROBE_LOCK_MS)}, true)`
      await tx`truncate write_probe`
      await tx`insert into write_probe (bytes) values (${randomBytes(PROBE_BYTES)})`
      throw new ProbeRollback()
    })
    .catch((error) => {
      if (!(error instanceof ProbeRollback)) throw error
    })
}

/** Ends the transaction without a trace. */
class ProbeRollback extends Error {}
