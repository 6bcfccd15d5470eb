import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node'

type Listener = (message: unknown) => void

/** Runs of one thread before another takes its place: each run leaves a listener behind. */
const RUNS_OF_A_THREAD = 100

let idle: { thread: ThreadsPoolWorker; runs: number } | undefined

/**
 * A thread that stays when a run of tests ends, so that the product is loaded once and not for each of a hundred mutants.
 * `kept-modules.ts` sees to it that no run meets what another left.
 */
export class KeptThread implements PoolWorker {
  readonly name = 'kept-thread'
  readonly #thread: ThreadsPoolWorker
  readonly #runs: number
  #listeners: [event: string, listener: Listener][] = []
  #isIdle = false

  constructor(options: PoolOptions) {
    this.#thread = idle?.thread ?? new ThreadsPoolWorker(options)
    this.#runs = (idle?.runs ?? 0) + 1
    idle = undefined
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#thread.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    this.#listeners = this.#listeners.filter(([name, known]) => name !== event || known !== listener)
    this.#thread.off(event, listener)
  }

  send(request: WorkerRequest): void {
    this.#isIdle = request.type === 'stop' && this.#runs < RUNS_OF_A_THREAD
    if (!this.#isIdle) this.#thread.send(request)
    else this.#answer({ type: 'stopped', __vitest_worker_response__: true })
  }

  #answer(message: unknown): void {
    for (const [event, listener] of [...this.#listeners]) if (event === 'message') listener(message)
  }

  start(): Promise<void> {
    return this.#thread.start()
  }

  /** Ends the thread where it is stopped by force, as after an error, or has run often enough. */
  async stop(): Promise<void> {
    if (!this.#isIdle) return this.#thread.stop()
    for (const [event, listener] of [...this.#listeners]) this.off(event, listener)
    idle = { thread: this.#thread, runs: this.#runs }
  }

  deserialize(data: unknown): unknown {
    return this.#thread.deserialize(data)
  }
}
