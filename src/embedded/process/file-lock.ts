import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../../lib/hash.ts'
import type { Progress } from '../../lib/process/progress.ts'
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
    for (;;) {
      if (await linked(mine, path)) return true
      const found = await textOf(path)
      if (found === undefined) continue
      if (await holderIn(found)) return false
      // Who holds this one alone may replace this dead lock, so that no one replaces the living one that follows it.
      const succession = `${path}.after-${sha256(found).slice(0, 12)}`
      if (!(await takeLock(succession))) return false
      try {
        if ((await textOf(path)) === found) {
          await rename(mine, path)
          return true
        }
      } finally {
        await rm(succession, { force: true })
      }
    }
  } finally {
    await rm(mine, { force: true })
  }
}

/** The id of the living process that holds a lock. */
export const holderOf = async (path: string): Promise<number | undefined> => holderIn((await textOf(path)) ?? '')

const linked = (file: string, path: string): Promise<boolean> =>
  link(file, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )

const textOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(missing)

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function holderIn(text: string): Promise<number | undefined> {
  try {
    const { pid, identity } = JSON.parse(text) as { pid: number; identity?: string }
    return identity !== undefined && (await identityOf(pid)) === identity ? pid : undefined
  } catch {
    return undefined
  }
}
