import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SAMPLE_MS = 50

/** Frees what the measurement before left: its list is as large as this one's. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Watches the largest resident memory of this process and of the processes it started, in MB. Linux counts it. */
export function startMemoryWatch() {
  collectGarbage()
  writeFileSync('/proc/self/clear_refs', '5')
  let child = 0
  const sample = () => {
    for (const pid of children()) child = Math.max(child, peakOf(pid))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  return {
    async end() {
      clearInterval(timer)
      sample()
      return { worker: peakOf('self'), child }
    },
  }
}

/** Processes that this one started and that run JavaScript: the database is none of them. */
function children(): string[] {
  const own = readdirSync('/proc/self/task').flatMap((task) => {
    const list = readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim()
    return list === '' ? [] : list.split(' ')
  })
  return own.filter((pid) => /node/.test(statusOf(pid, 'Name')))
}

const peakOf = (pid: string): number => Math.round(Number.parseInt(statusOf(pid, 'VmHWM') || '0', 10) / 1_024)

function statusOf(pid: string, name: string): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return new RegExp(`^${name}:\\s*(.+)$`, 'm').exec(status)?.[1] ?? ''
  } catch {
    return ''
  }
}
