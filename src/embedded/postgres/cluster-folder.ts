import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { DataFolder } from '../data-folder.ts'

/**
 * The folder of the cluster that this data folder has; undefined before its first start. A cluster inside the data
 * folder is its own also after a copy or a move, whatever path was remembered.
 * @throws OperatorError when a cluster elsewhere is gone, or belongs to another data folder
 */
export async function ownCluster(folder: DataFolder, remembered: string | undefined): Promise<string | undefined> {
  if (await stat(join(folder.postgres, 'PG_VERSION')).catch(() => undefined)) return folder.postgres
  if (remembered === undefined || remembered === folder.postgres) return undefined
  if (!(await stat(remembered).catch(() => undefined)))
    throw new OperatorError(
      `The database of ${folder.root} is expected in ${remembered}, which is missing. Move it to ${folder.postgres}, or take postgresFolder out of ${folder.ports} to start with an empty one.`,
    )
  const owner = await readFile(ownerFile(remembered), 'utf8').catch(() => folder.root)
  if (owner.trim() === folder.root) return remembered
  throw new OperatorError(
    `The database in ${remembered} belongs to the data folder ${owner.trim()}, not to ${folder.root}. If you moved the data folder, delete ${ownerFile(remembered)}; if you copied it, take postgresFolder out of ${folder.ports}.`,
  )
}

/** Where a running server writes its process id, and one that was killed leaves it. */
export const traceOf = (cluster: string): string => join(cluster, 'postmaster.pid')

/** The process id in that file; undefined where there is none. */
export async function tracedPid(cluster: string): Promise<number | undefined> {
  const trace = await readFile(traceOf(cluster), 'utf8').catch(() => '')
  return Number(trace.split('\n')[0]) || undefined
}

/** Says beside a cluster outside the data folder whose it is: a copy of the data folder must not take it. */
export async function claimCluster(folder: DataFolder, cluster: string): Promise<void> {
  if (cluster !== folder.postgres) await writeFile(ownerFile(cluster), `${folder.root}\n`, { mode: 0o600 })
}

const ownerFile = (cluster: string): string => join(dirname(cluster), 'data-folder')
