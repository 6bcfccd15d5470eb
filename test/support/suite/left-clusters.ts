import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** So old, a cluster is not one that is being made. */
const MADE_FOR_MS = 600_000

/** What the folders of test clusters are called. */
export const CLUSTERS = 'pricetape-test-'

/** Removes the clusters on a disk that killed runs left: in memory they take 100 MB each until the next boot. */
export async function removeLeftClusters(disk: string): Promise<void> {
  for (const name of await readdir(disk)) {
    if (!name.startsWith(CLUSTERS)) continue
    const folder = join(disk, name)
    const { mtimeMs } = await stat(folder)
    if (Date.now() - mtimeMs < MADE_FOR_MS || (await isServed(folder))) continue
    await rm(folder, { recursive: true, force: true })
  }
}

async function isServed(folder: string): Promise<boolean> {
  const [pid = ''] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  try {
    return pid !== '' && process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
