import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** What a process, or a server with its children, uses. */
export type Usage = { cpuSeconds: number; mainThreadSeconds: number; memoryMb: number; descriptors: number }

/** Returns what these processes use; the children of each are counted with it. */
export function usageOf(pids: number[]): Usage {
  const all = pids.flatMap((pid) => [pid, ...childrenOf(pid)])
  return {
    cpuSeconds: sum(pids.map(cpuSecondsOf)),
    mainThreadSeconds: sum(pids.map(mainThreadOf)),
    memoryMb: Math.round(sum(all.map(memoryOf)) / 1_024),
    descriptors: sum(all.map(descriptorsOf)),
  }
}

/** Its own time, that of its children, and that of children which have ended. */
function cpuSecondsOf(pid: number): number {
  const children = childrenOf(pid).map((child) => sum(fieldsOf(child).slice(11, 13).map(Number)))
  return (sum(fieldsOf(pid).slice(11, 15).map(Number)) + sum(children)) / TICKS_PER_SECOND
}

/** The thread that a Node process begins with does all its JavaScript but the workflows': it limits what one process can do. */
const mainThreadOf = (pid: number): number =>
  sum(fieldsIn(`/proc/${pid}/task/${pid}/stat`).slice(11, 13).map(Number)) / TICKS_PER_SECOND

/** In KiB. What processes share is divided among them, so that PostgreSQL's shared buffers count once. */
function memoryOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(fieldsOf(pid)[1]) === parent)

/** What stands after the name in /proc/PID/stat: the state first. */
const fieldsOf = (pid: number): string[] => fieldsIn(`/proc/${pid}/stat`)
const fieldsIn = (path: string): string[] => read(path).split(') ').at(-1)?.split(' ') ?? []

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0)
