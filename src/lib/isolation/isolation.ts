import { availableParallelism } from 'node:os'
import { startProcesses } from './processes.ts'
import type { Task } from './task.ts'
import { startTurns } from './turns.ts'
import type { Limits, OnChunk, WorkerProcess } from './worker-process.ts'

/**
 * Work on foreign bytes, in processes that are limited and killed from outside: a parser that spins, explodes or
 * crashes costs one result. README.md in this folder says how to add a task.
 */
export type Isolation = AsyncDisposable & {
  /**
   * Runs a task on an input and returns its plain result.
   * @throws LimitExceeded when it was stopped or took its process down; TaskFailed when it threw; the reason of
   *   `signal` when that aborted first
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options?: RunOptions): Promise<Output>
}

type RunOptions = Partial<Limits> & {
  signal?: AbortSignal
  /** Takes the parts that a task gives before its result; while it waits, the task does. */
  onChunk?: OnChunk
}

export type IsolationOptions = Partial<Limits> & {
  /** Tasks that run beside each other; more wait in line. */
  concurrency?: number
  /** The heap of a process, which cannot change once it has started. */
  maxHeapMb?: number
  /** A process ends after this many tasks, and when it was idle for this long. */
  tasksPerProcess?: number
  idleMs?: number
}

const DEFAULT_LIMITS: Limits = { timeoutMs: 60_000, cpuMs: 30_000, maxMemoryMb: 1_024, maxResultMb: 64, maxStreamMb: 0 }
const MOST_PROCESSES = 4
const MAX_HEAP_MB = 2_048
const TASKS_PER_PROCESS = 200
const IDLE_MS = 60_000
/** A process that grew beyond this is not kept. */
const MAX_IDLE_MEMORY_MB = 400

/** Builds a pool. It starts a process when the first task comes, and one again where one was killed. */
export function createIsolation(options: IsolationOptions = {}): Isolation {
  const { maxHeapMb = MAX_HEAP_MB, tasksPerProcess = TASKS_PER_PROCESS, idleMs = IDLE_MS, ...limits } = options
  const concurrency = limits.concurrency ?? Math.min(Math.max(availableParallelism(), 2), MOST_PROCESSES)
  const processes = startProcesses(maxHeapMb, idleMs)
  const turns = startTurns(concurrency, processes.take)
  let closed = false

  async function giveBack(worker: WorkerProcess): Promise<void> {
    const used = await worker.usage()
    if (!used || closed || worker.tasks >= tasksPerProcess || used.memoryMb > MAX_IDLE_MEMORY_MB) worker.kill()
    else processes.keep(worker)
    turns.end()
  }

  return {
    async run<Input, Output>(task: Task<Input, Output>, input: Input, { signal, onChunk, ...own }: RunOptions = {}) {
      if (closed) throw shutDown()
      signal?.throwIfAborted()
      const worker = await turns.take(signal)
      worker.hold(true)
      const { url, name } = task
      const prepared = worker.prepare(url)
      let isPrepared = false
      try {
        await orAborted(prepared, signal)
        isPrepared = true
        const allLimits = { ...DEFAULT_LIMITS, ...limits, ...own }
        return (await worker.run({ url, name, input }, allLimits, { signal, onChunk })) as Output
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        throw error
      } finally {
        worker.hold(false)
        // Given up while it starts, the process is of use to the next task.
        if (isPrepared) await giveBack(worker)
        else void prepared.catch(() => {}).then(() => giveBack(worker))
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true
      turns.cancelAll(shutDown)
      await processes.end()
    },
  }
}

const shutDown = () => new Error('the processes for foreign bytes are shut down')

/** Waits for a promise, no longer than until a signal aborts. */
async function orAborted(promise: Promise<void>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const done = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: done.signal })
  })
  try {
    await Promise.race([promise, aborted])
  } finally {
    done.abort()
  }
}
