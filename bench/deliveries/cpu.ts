import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Milliseconds of CPU for each delivery or workflow, by process: unlike a rate, they hardly depend on neighbours. */
export type CpuTimes = { sender: number; temporal: number; postgres: number; receiver: number }

const MS_PER_TICK = 10

/** What the processes of a run have used, from the call until the answer is called with how many were done. */
export function cpuOf(pids: {
  temporal: number
  postgres: number
  receiver: number
}): () => (count: number) => CpuTimes {
  function now(): CpuTimes {
    const { user, system } = process.cpuUsage()
    const postgres = [pids.postgres, ...childrenOf(pids.postgres)].map(ticksOf).reduce((a, b) => a + b, 0)
    return {
      sender: (user + system) / 1000,
      temporal: ticksOf(pids.temporal) * MS_PER_TICK,
      postgres: postgres * MS_PER_TICK,
      receiver: ticksOf(pids.receiver) * MS_PER_TICK,
    }
  }
  return () => {
    const before = now()
    return (count) => {
      const after = now()
      const each = (part: keyof CpuTimes) => Math.round(((after[part] - before[part]) / count) * 10) / 10
      return {
        sender: each('sender'),
        temporal: each('temporal'),
        postgres: each('postgres'),
        receiver: each('receiver'),
      }
    }
  }
}

/** What the product and its servers used; the receiver is someone else's. */
export const total = ({ sender, temporal, postgres }: CpuTimes): number => sender + temporal + postgres

export async function postmaster(folder: string): Promise<number> {
  const [pid] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  return Number(pid)
}

const fieldsOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return []
  }
}
const ticksOf = (pid: number): number => Number(fieldsOf(pid)[11] ?? 0) + Number(fieldsOf(pid)[12] ?? 0)

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && Number(fieldsOf(pid)[1]) === parent)
