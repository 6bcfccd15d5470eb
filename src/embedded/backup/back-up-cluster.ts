import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { copyTree, syncFolder, syncFolders, writeBeside } from './copy-files.ts'
import { copyLogWhile } from './copy-log.ts'

/** What a server makes again at each start, and what only a running one has. */
const NOT_COPIED =
  /^(?:postmaster\.(?:pid|opts)|(?:pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*)$|(?:^|\/)(?:pgsql_tmp.*|pg_internal\.init.*)$/
const LOG = /^pg_wal\/./

type Backup = {
  /** The folder of the cluster. */
  cluster: string
  /** A new or an empty folder. */
  target: string
  /** The running server; undefined where it does not run, and is not started meanwhile. */
  sql?: Sql
}

/**
 * Copies a cluster into the folder `postgres` of the target, also while its server is written to. The copy is put in the place of the
 * cluster to restore it: the server then begins another timeline, by which the product notices the restore.
 * @throws OperatorError when the target is not empty
 */
export async function backUpCluster({ cluster, target, sql }: Backup): Promise<{ bytes: number }> {
  await mkdir(target, { recursive: true })
  if ((await readdir(target)).length > 0)
    throw new OperatorError(`${target} is not empty. Name a new folder for the backup.`)
  if (sql) await mustBeServedBy(sql, cluster)
  // Half a backup must never be mistaken for a whole one: it gets its name when it is done.
  const copy = join(target, 'unfinished')
  try {
    const bytes = sql
      ? await copyLogWhile(sql, cluster, copy, () =>
          copyTree(cluster, copy, (path) => NOT_COPIED.test(path) || LOG.test(path)),
        )
      : await copyTree(cluster, copy, (path) => NOT_COPIED.test(path))
    await recoverAtStart(copy)
    await syncFolders(copy)
    await rename(copy, join(target, 'postgres'))
    await syncFolder(target)
    return { bytes }
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    throw error
  }
}

/** Has the next start recover from the copied log, and no other, and end on a timeline of its own. */
async function recoverAtStart(copy: string): Promise<void> {
  await writeBeside(join(copy, 'recovery.signal'), '', join(copy, 'PG_VERSION'))
  await appendFile(join(copy, 'postgresql.auto.conf'), "restore_command = '/bin/false'\n", { flush: true })
}

/** Every cluster has a number of its own, at the beginning of its control file. */
async function mustBeServedBy(sql: Sql, cluster: string): Promise<void> {
  const [served] = await sql<
    { identifier: string }[]
  >`select system_identifier::text as identifier from pg_control_system()`
  const control = await readFile(join(cluster, 'global', 'pg_control'))
  if (control.readBigUInt64LE().toString() !== served!.identifier)
    throw new OperatorError(`Pricetape does not run on the database in ${cluster}, but on another one.`)
}
