import { open, readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from './progress.ts'

const POLL_MS = 500

/** Runs `work` while no other process of this machine does; a lock whose holder is dead is taken over. */
export async function holding<T>(
  path: string,
  waiting: string,
  progress: Progress,
  work: () => Promise<T>,
): Promise<T> {
  let told = false
  while (!(await take(path))) {
    if (!told) progress.say(waiting)
    told = true
    await sleep(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.write(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const pid = Number(await readFile(path, 'utf8').catch(() => ''))
    if (pid > 0 && !isAlive(pid)) await rm(path, { force: true })
    return false
  }
}

/** Whether a process with this id runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
