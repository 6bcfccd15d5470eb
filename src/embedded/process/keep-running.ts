import { setTimeout as sleep } from 'node:timers/promises'
import { PermanentError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Exit } from './child.ts'
import { exitText } from './exit-text.ts'

/** A process that can be waited for and stopped. `ready` resolves when it does its work. */
export type Service = { exited: Promise<Exit>; stop(): Promise<void>; ready?: Promise<void> }

export type KeptService<S extends Service> = {
  /** The first process, ready. Rejects when the first start fails: then nothing is restarted. */
  first: Promise<S>
  /** Rejects when the process ended, later, for a reason that starting it again does not mend. */
  refused: Promise<never>
  stop(): Promise<void>
  /** Whether it runs and is ready, and how often it was started again. */
  status(): { up: boolean; restarts: number }
}

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
/** A process that ran this long is healthy: the back-off begins anew. */
const STABLE_AFTER_MS = 60_000

/** How long to wait before the next start, after this many deaths in a row. */
export const restartDelay = (deaths: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(deaths - 1, 16), LONGEST_DELAY_MS)

/**
 * Keeps a process running: one that ends by itself is started again, after a delay that doubles up to 30 seconds, until
 * it says that this would not help. Each death is one line in the log.
 */
export function keepRunning<S extends Service>(name: string, start: () => Promise<S>, log: Log): KeptService<S> {
  const stopping = new AbortController()
  let starting: Promise<S> | undefined
  let up = false
  let restarts = 0

  async function startOnce(): Promise<S> {
    starting = start()
    const service = await starting
    if (stopping.signal.aborted) await service.stop()
    const ended = service.exited.then((exit) => Promise.reject(faultOf(exit)))
    await Promise.race([service.ready, ended])
    ended.catch(() => {
      up = false
    })
    up = true
    return service
  }

  async function startAgain(
    firstFault: Error,
    firstDeaths: number,
  ): Promise<{ service: S; deaths: number } | undefined> {
    let fault = firstFault
    for (let deaths = firstDeaths; !stopping.signal.aborted; deaths++) {
      if (fault instanceof PermanentError) throw fault
      const delay = restartDelay(deaths)
      const count = deaths > 1 ? ` for the ${deaths}${ordinal(deaths)} time in a row` : ''
      log.error(`${name} ended${count} (${fault.message}). It is started again in ${delay / 1000} s.`)
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) break
      try {
        restarts++
        const service = await startOnce()
        log.warn(`${name} runs again.`)
        return { service, deaths }
      } catch (error) {
        fault = error as Error
      }
    }
    return undefined
  }

  async function watch(started: S): Promise<void> {
    let running: { service: S; deaths: number } | undefined = { service: started, deaths: 0 }
    while (running) {
      const began = Date.now()
      const exit = await running.service.exited
      const deaths = Date.now() - began > STABLE_AFTER_MS ? 1 : running.deaths + 1
      running = await startAgain(faultOf(exit), deaths)
    }
  }

  const first = startOnce()
  let refuse: (fault: Error) => void
  const refused = new Promise<never>((_, reject) => {
    refuse = reject
  })
  refused.catch(() => {})
  const watching = first.then(
    (started) => watch(started).catch((fault) => refuse(fault)),
    () => {},
  )
  return {
    first,
    refused,
    status: () => ({ up, restarts }),
    stop: async () => {
      stopping.abort()
      await starting?.then((service) => service.stop()).catch(() => {})
      await watching
    },
  }
}

const faultOf = (exit: Exit): Error =>
  exit.refusal === undefined ? new Error(exitText(exit)) : new PermanentError(exit.refusal)

const ordinal = (n: number): string =>
  ({ 1: 'st', 2: 'nd', 3: 'rd' })[n % 10 === 0 || (n % 100 > 10 && n % 100 < 14) ? 0 : n % 10] ?? 'th'
