import { type Fault, failed, platform } from './safe-fetch-outcome.ts'

/** When our own process stood still, what has arrived meanwhile is read before anything is called late. */
const STALL_MS = 250

/**
 * One time limit over a whole request. `phase` is what the request is waiting for; `expired` gives the fault once time
 * is up or the caller stops. A process that stood still is not the other side being late: that is a fault of ours.
 */
export class Deadline {
  phase = 'looking up the host name'
  readonly startedAt = performance.now()
  readonly expired: Promise<Fault>
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined
  #stalledMs = 0
  #signal: AbortSignal | undefined
  #settle: (fault: Fault) => void = () => {}

  constructor(limitMs: number, signal?: AbortSignal) {
    this.#limitMs = limitMs
    this.#signal = signal
    this.expired = new Promise((settle) => {
      this.#settle = settle
    })
    this.#timer = setTimeout(this.#fire, limitMs)
    if (signal?.aborted) this.#stop()
    signal?.addEventListener('abort', this.#stop)
  }

  #stop = () => this.#settle(platform('stopped before the answer came'))

  #fire = () => {
    const late = performance.now() - this.startedAt - this.#limitMs - this.#stalledMs
    if (late > STALL_MS && this.#stalledMs === 0) {
      this.#stalledMs = late + STALL_MS
      this.#timer = setTimeout(this.#fire, STALL_MS)
    } else if (this.#stalledMs > 0) {
      this.#settle(platform(`this process stood still for ${Math.round(this.#stalledMs)} ms`))
    } else {
      this.#settle(failed('timeout', `no complete answer within ${this.#limitMs / 1000} s: ${this.phase}`))
    }
  }

  clear() {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#stop)
  }
}
