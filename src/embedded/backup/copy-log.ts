import { join } from 'node:path'
import postgres from 'postgres'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { copyWhole, writeBeside } from './copy-files.ts'
import { segmentsBetween } from './wal-rules.ts'

const INSUFFICIENT_PRIVILEGE = '42501'

const LOG = 'pg_wal'

/** Runs `work`, which copies a cluster that is written to, and copies what its server logs from the beginning to the end of it. */
export async function copyLogWhile<T>(sql: Sql, cluster: string, copy: string, work: () => Promise<T>): Promise<T> {
  const session = await sql.reserve()
  try {
    // Until the session ends, nothing of the log is removed.
    await session`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`.catch(mayNot)
    const [begun] = await session<{ first: string }[]>`
      select pg_walfile_name(pg_backup_start('pricetape', true)) as first`
    const result = await work()
    const [ended] = await session<{ label: string; last: string }[]>`
      select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)`
    for (const name of segmentsBetween(begun!.first, ended!.last))
      if ((await copyWhole(join(cluster, LOG, name), join(copy, LOG, name))) === undefined)
        throw new Error(`the segment ${name} of the log is missing in ${cluster}`)
    await writeBeside(join(copy, 'backup_label'), ended!.label, join(copy, 'PG_VERSION'))
    return result
  } finally {
    // A session that is in a backup begins no other: where this one failed, it ends here.
    await session`select pg_backup_stop(false)`.catch(() => {})
    await session`select pg_drop_replication_slot('backup_' || pg_backend_pid())`.catch(() => {})
    session.release()
  }
}

function mayNot(error: unknown): never {
  if (error instanceof postgres.PostgresError && error.code === INSUFFICIENT_PRIVILEGE)
    throw new OperatorError(
      'This database was made before backups of a running one: stop Pricetape, and run the command again. A database of your own is backed up with pg_dump.',
      { cause: error },
    )
  throw error
}
