import type { WorkerProcess } from './worker-process.ts'

type Turn = { start: (worker: WorkerProcess) => void; cancel: (reason: unknown) => void }

/** Turns of tasks: `concurrency` of them run beside each other, and the others wait in line. */
export function startTurns(concurrency: number, takeProcess: () => WorkerProcess) {
  const waiting: Turn[] = []
  let running = 0

  function startNext(): void {
    if (running >= concurrency) return
    const next = waiting.shift()
    if (!next) return
    try {
      const worker = takeProcess()
      running++
      next.start(worker)
    } catch (error) {
      next.cancel(error)
      startNext()
    }
  }

  return {
    /** Returns the process of a turn. @throws the reason of `signal` when that aborts while the turn waits */
    take(signal?: AbortSignal): Promise<WorkerProcess> {
      return new Promise((resolve, reject) => {
        const onAbort = () => turn.cancel(signal?.reason)
        const turn: Turn = {
          start(worker) {
            signal?.removeEventListener('abort', onAbort)
            resolve(worker)
          },
          cancel(reason) {
            const index = waiting.indexOf(turn)
            if (index >= 0) waiting.splice(index, 1)
            reject(reason)
          },
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        waiting.push(turn)
        startNext()
      })
    },
    end(): void {
      running--
      startNext()
    },
    cancelAll(reason: () => Error): void {
      for (const turn of waiting.splice(0)) turn.cancel(reason())
    },
  }
}
