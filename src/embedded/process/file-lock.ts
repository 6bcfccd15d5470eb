import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from '../../lib/progress.ts'
import { identityOf } from './process-identity.ts'

const POLL_MS = 300

/** Runs `work` while no other process of this machine does; waits for its turn, saying so once. */
export async function withFileLock<T>(
  path: string,
  waiting: string,
  progress: Pick<Progress, 'say'>,
  work: () => Promise<T>,
): Promise<T> {
  let announced = false
  while (!(await takeLock(path))) {
    if (!announced) progress.say(waiting)
    announced = true
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Takes a lock file for this process; a lock whose holder is dead is taken over. Returns whether it was free. */
export async function takeLock(path: string): Promise<boolean> {
  const mine = `${path}.${process.pid}`
  await writeFile(mine, JSON.stringify({ pid: process.pid, identity: await identityOf(process.pid) }), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const taken = await link(mine, path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false
          throw error
        },
      )
      if (taken) return true
      if (await holderOf(path)) return false
      // The process that moves the dead lock away has it alone; another finds nothing to move and tries again.
      await rename(path, `${mine}.dead`).catch(() => {})
    }
    return false
  } finally {
    await rm(mine, { force: true })
    await rm(`${mine}.dead`, { force: true })
  }
}

/** The id of the living process that holds a lock. */
export async function holderOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const { pid, identity } = JSON.parse(text) as { pid: number; identity?: string }
    return identity !== undefined && (await identityOf(pid)) === identity ? pid : undefined
  } catch {
    return undefined
  }
}
