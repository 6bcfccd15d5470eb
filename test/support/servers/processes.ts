import { readdir, readFile } from 'node:fs/promises'

export type Running = { pid: number; command: string }

/** The processes that a process has started and that still run, by /proc. */
export async function childrenOf(parent: number): Promise<Running[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(ppid) !== parent || state === 'Z') return []
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return [{ pid, command: command.replaceAll('\0', ' ') }]
    }),
  )
  return found.flat()
}

/** The names of the variables in the environment of a running process. */
export async function environmentOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8')
  return text.split('\0').flatMap((entry) => (entry === '' ? [] : [entry.split('=')[0]!]))
}
