import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './run-program.ts'

const POLL_MS = 50

/** Returns whether a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Tells a process from a later one that was given the same id: when it started, on which boot of the machine.
 * Undefined when it does not run.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat !== undefined) {
    // The program's name is in brackets and may hold anything; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    return `${boot.trim()}/${fields[19]}`
  }
  const { ok, output } = await run('ps', ['-o', 'lstart=', '-p', String(pid)])
  return ok ? output.trim() : undefined
}

/** Returns whether a running process has a path as one whole argument, to recognize a server of ours. */
export async function runsOn(pid: number, path: string): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (line !== undefined) return line.split('\0').includes(path)
  const { ok, output } = await run('ps', ['-o', 'command=', '-p', String(pid)])
  return ok && ` ${output.trim()} `.includes(` ${path} `)
}

/** Ends a process of ours that outlived its start: requested first, then killed. Returns whether it is gone. */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<boolean> {
  const identity = await identityOf(pid)
  if (identity === undefined) return true
  for (const [how, patience] of [
    [signal, graceMs],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, how)
    } catch {
      // Gone already, or not ours to end: the wait below tells which.
    }
    const deadline = Date.now() + patience
    while (Date.now() < deadline) {
      // Another process may have got its number.
      if ((await identityOf(pid)) !== identity) return true
      await sleep(POLL_MS)
    }
  }
  return false
}
