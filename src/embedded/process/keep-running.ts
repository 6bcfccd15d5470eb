import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import type { Exit } from './child.ts'
import { exitText } from './exit-text.ts'

/** A process that can be waited for and stopped. `ready` resolves when it does its work. */
export type Service = { exited: Promise<Exit>; stop(): Promise<void>; ready?: Promise<void> }

export type KeptService<S extends Service> = {
  /** The first process, ready. Rejects when the first start fails: then nothing is restarted. */
  first: Promise<S>
  stop(): Promise<void>
}

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
/** A process that ran this long is healthy: the back-off begins anew. */
const STABLE_AFTER_MS = 60_000

/** How long to wait before the next start, after this many deaths in a row. */
export const restartDelay = (deaths: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** Math.min(deaths - 1, 16), LONGEST_DELAY_MS)

/**
 * Keeps a process running: one that ends by itself is started again, for ever, after a delay that doubles up to 30
 * seconds. Each death is one line in the log.
 */
export function keepRunning<S extends Service>(name: string, start: () => Promise<S>, log: Log): KeptService<S> {
  const stopping = new AbortController()
  let starting: Promise<S> | undefined

  async function startOnce(): Promise<S> {
    starting = start()
    const service = await starting
    if (stopping.signal.aborted) await service.stop()
    const ended = service.exited.then((exit) => Promise.reject(new Error(exitText(exit))))
    await Promise.race([service.ready, ended])
    ended.catch(() => {})
    return service
  }

  async function startAgain(
    firstReason: string,
    firstDeaths: number,
  ): Promise<{ service: S; deaths: number } | undefined> {
    let reason = firstReason
    for (let deaths = firstDeaths; !stopping.signal.aborted; deaths++) {
      const delay = restartDelay(deaths)
      const count = deaths > 1 ? ` for the ${deaths}${ordinal(deaths)} time in a row` : ''
      log.error(`${name} ended${count} (${reason}). It is started again in ${delay / 1000} s.`)
      await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) break
      try {
        const service = await startOnce()
        log.warn(`${name} runs again.`)
        return { service, deaths }
      } catch (error) {
        reason = (error as Error).message
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
      running = await startAgain(exitText(exit), deaths)
    }
  }

  const first = startOnce()
  const watching = first.then(watch, () => {})
  return {
    first,
    stop: async () => {
      stopping.abort()
      await starting?.then((service) => service.stop()).catch(() => {})
      await watching
    },
  }
}

const ordinal = (n: number): string =>
  ({ 1: 'st', 2: 'nd', 3: 'rd' })[n % 10 === 0 || (n % 100 > 10 && n % 100 < 14) ? 0 : n % 10] ?? 'th'
