import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError, PermanentError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { BrokenOff } from './exit-fault.ts'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
/** A process that ends by itself this often in a row, before it was ever ready, does not become ready. */
const MOST_FAILED_STARTS = 4

/** How long to wait before the next start, after this many deaths in a row. */
export const restartDelay = (deaths: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(deaths - 1, 16), LONGEST_DELAY_MS)

export type Deaths = { name: string; log: Log; stopping: AbortSignal }

/** Says that a process ended, and waits before it is started again. Returns false when it was stopped meanwhile. */
export async function waitToStartAgain(
  { name, log, stopping }: Deaths,
  fault: Error,
  deaths: number,
): Promise<boolean> {
  if (stopping.aborted) return false
  const delay = restartDelay(deaths)
  const count = deaths > 1 ? ` for the ${deaths}${ordinal(deaths)} time in a row` : ''
  log.error(`${name} ended${count} (${fault.message}). It is started again in ${delay / 1000} s.`)
  await sleep(delay, undefined, { signal: stopping }).catch(() => {})
  return !stopping.aborted
}

/**
 * Starts something for the first time. A start that is killed is repeated for as long as it takes. One that fails by
 * itself is repeated a few times, and not at all when it says what an operator has to change.
 * @throws OperatorError that names the process
 */
export async function startFirst<T>(task: Deaths, start: () => Promise<T>): Promise<T> {
  let failures = 0
  for (let deaths = 1; ; deaths++) {
    try {
      return await start()
    } catch (error) {
      const fault = error as Error
      if (!(fault instanceof BrokenOff)) failures++
      const hopeless = fault instanceof PermanentError || (fault instanceof OperatorError && deaths === 1)
      if (hopeless) throw fault
      if (failures === MOST_FAILED_STARTS) throw neverReady(task.name, fault)
      if (!(await waitToStartAgain(task, fault, deaths))) throw fault
    }
  }
}

const neverReady = (name: string, cause: Error): OperatorError =>
  cause instanceof OperatorError
    ? cause
    : new OperatorError(
        `${name} ended ${MOST_FAILED_STARTS} times before it was ready, the last time with ${cause.message}. Correct what it says and start again; LOG_LEVEL=debug npm start shows more.`,
        { cause },
      )

const ordinal = (n: number): string =>
  ({ 1: 'st', 2: 'nd', 3: 'rd' })[n % 10 === 0 || (n % 100 > 10 && n % 100 < 14) ? 0 : n % 10] ?? 'th'
