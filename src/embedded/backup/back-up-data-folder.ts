import { join, resolve } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { connect } from '../../lib/sql.ts'
import { type DataFolder, lockDataFolder, readRememberedPorts, readRunning } from '../data-folder.ts'
import { ownCluster, tracedPid } from '../postgres/cluster-folder.ts'
import { runsOn } from '../process/process-identity.ts'
import { backUpCluster } from './back-up-cluster.ts'

/** Where the copy is, the folder whose place it takes in a restore, and how much was copied. */
type DataFolderBackup = { folder: string; cluster: string; bytes: number }

/** Backs up the database of a data folder, whether it runs or not. @throws OperatorError */
export async function backUpDataFolder(folder: DataFolder, target: string): Promise<DataFolderBackup> {
  const cluster = await ownCluster(folder, (await readRememberedPorts(folder)).postgresFolder)
  if (!cluster)
    throw new OperatorError(`There is no database in ${folder.root}. Name its folder in PRICETAPE_DATA_DIR.`)
  const made = { folder: join(resolve(target), 'postgres'), cluster }
  const running = await readRunning(folder)
  if (running) {
    const sql = connect(running.databaseUrl, { max: 1 })
    try {
      return { ...made, ...(await backUpCluster({ cluster, target, sql })) }
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
  await using _ = await lockDataFolder(folder)
  await mustNotRun(cluster)
  return { ...made, ...(await backUpCluster({ cluster, target })) }
}

/** A server outlives a supervisor that was killed. */
async function mustNotRun(cluster: string): Promise<void> {
  const pid = await tracedPid(cluster)
  if (pid && (await runsOn(pid, cluster)))
    throw new OperatorError(
      `The database server of an earlier start still runs (process ${pid}). Start Pricetape, and run the command again.`,
    )
}
