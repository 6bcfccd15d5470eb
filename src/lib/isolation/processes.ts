import { WorkerProcess } from './worker-process.ts'

/** The processes of a pool. An idle one is taken before another is started, and ends after `idleMs`. */
export function startProcesses(maxHeapMb: number, idleMs: number) {
  const idle = new Map<WorkerProcess, NodeJS.Timeout>()
  const all = new Set<WorkerProcess>()

  const killAll = () => {
    for (const worker of all) worker.kill()
  }

  function start(): WorkerProcess {
    const worker = new WorkerProcess(maxHeapMb)
    if (all.size === 0) process.on('exit', killAll)
    all.add(worker)
    void worker.exited.then(() => {
      all.delete(worker)
      if (all.size === 0) process.off('exit', killAll)
      clearTimeout(idle.get(worker))
      idle.delete(worker)
    })
    return worker
  }

  return {
    take(): WorkerProcess {
      const ready = [...idle.keys()].find((worker) => worker.alive)
      if (!ready) return start()
      clearTimeout(idle.get(ready))
      idle.delete(ready)
      return ready
    },
    keep(worker: WorkerProcess): void {
      const timer = setTimeout(() => worker.kill(), idleMs)
      timer.unref()
      idle.set(worker, timer)
    },
    /** Kills all of them, and waits until they are gone. */
    async end(): Promise<void> {
      killAll()
      await Promise.all([...all].map((worker) => worker.exited))
    },
  }
}
