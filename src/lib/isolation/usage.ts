import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'

/** What a process uses: resident memory, and processor time since it began. Undefined when it has ended. */
export type Usage = { memoryMb: number; cpuMs: number }

/** Linux counts processor time in hundredths of a second for every program (USER_HZ). */
const TICK_MS = 10

/** Reads what the kernel says of a process, so that the process has no part in it. */
export async function usageOf(pid: number): Promise<Usage | undefined> {
  if (process.platform !== 'linux') return usageByPs(pid)
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'latin1'),
      readFile(`/proc/${pid}/status`, 'latin1'),
    ])
    // The name in parentheses may hold anything, spaces too; the fields after it are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { memoryMb: kilobytes(status, 'VmRSS') / 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
  } catch {
    return undefined
  }
}

function usageByPs(pid: number): Promise<Usage | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=,time=', '-p', String(pid)], (error, out) => {
      const [rss, time = ''] = error ? [] : out.trim().split(/\s+/)
      if (rss === undefined) return resolve(undefined)
      const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0)
      resolve({ memoryMb: Number(rss) / 1024, cpuMs: seconds * 1_000 })
    })
  })
}

/** Makes a process the first one the kernel ends when memory runs out, in place of a database or of ourselves. */
export async function endFirstWhenMemoryRunsOut(pid: number): Promise<void> {
  if (process.platform === 'linux') await writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {})
}

/** The memory that the processes of a group have to themselves, in MB. Undefined where the system does not say. */
export async function groupMemoryMb(groupId: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
      if (Number(/^NSpgid:\t(\d+)/m.exec(status)?.[1]) !== groupId) return 0
      return ['RssAnon', 'RssShmem'].reduce((sum, name) => sum + kilobytes(status, name), 0)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

const kilobytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
