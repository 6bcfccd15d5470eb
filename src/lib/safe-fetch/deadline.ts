import type { Progress } from './dial/open-connection.ts'
import { type Fault, failed, platform, stoodStill } from './outcome.ts'
import { STALL_MS, watchStalls } from './stalls.ts'

/** Our own process may be busy when time is up: what has arrived by then is read before anything is called late. */
const GRACE_MS = 250

/**
 * A time limit over a whole request. `phase` is what the request is waiting for. `expired` gives the fault once time is
 * up or the caller stops. Where our own process stood still meanwhile, once or again and again, the other side had less
 * than the limit: that is reported as our fault. How long the other side takes has no part in it.
 */
export class Deadline {
  phase = 'looking up the host name'
  readonly startedAt = performance.now()
  readonly expired: Promise<Fault>
  readonly #limitMs: number
  readonly #signal: AbortSignal | undefined
  readonly #stalls = watchStalls()
  #timer: NodeJS.Timeout
  #resolve: (fault: Fault) => void = () => {}

  constructor(limitMs: number, signal?: AbortSignal) {
    this.#limitMs = limitMs
    this.#signal = signal
    this.expired = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#timer = setTimeout(this.#fire, limitMs)
    if (signal?.aborted) this.#stop()
    signal?.addEventListener('abort', this.#stop)
  }

  #stop = () => this.#resolve(platform('stopped before the answer came'))

  #fire = () => {
    const lateMs = performance.now() - this.startedAt - this.#limitMs
    if (lateMs < GRACE_MS && this.#stalls.totalMs() < STALL_MS) this.#expire()
    else this.#timer = setTimeout(this.#expire, GRACE_MS)
  }

  #expire = () => {
    const stalledMs = this.#stalls.totalMs()
    if (stalledMs >= STALL_MS) this.#resolve(stoodStill(stalledMs))
    else this.#resolve(failed('timeout', `no complete answer within ${this.#limitMs / 1000} s: ${this.phase}`))
  }

  clear() {
    clearTimeout(this.#timer)
    this.#stalls.stop()
    this.#signal?.removeEventListener('abort', this.#stop)
  }
}

/** Lets a connection attempt say what a request is waiting for. */
export const progressOf = (deadline: Deadline, signal: AbortSignal): Progress => ({
  signal,
  get phase() {
    return deadline.phase
  },
  set phase(phase) {
    deadline.phase = phase
  },
})
