import { PermanentError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Exit } from './child.ts'
import { faultOf } from './exit-fault.ts'
import { startFirst, waitToStartAgain } from './start-again.ts'

/** A process that can be waited for and stopped. `ready` resolves when it does its work. */
export type Service = { exited: Promise<Exit>; stop(): Promise<void>; ready?: Promise<void> }

export type KeptService<S extends Service> = {
  /** The first process that is ready. Rejects with what an operator has to change: then nothing is restarted. */
  first: Promise<S>
  /** Rejects when the process ended, later, for a reason that starting it again does not fix. */
  refused: Promise<never>
  stop(): Promise<void>
  /** Whether it runs and is ready, and how often it was started again. */
  status(): { up: boolean; restarts: number }
}

/** A process that ran this long is healthy: the back-off begins again. */
const STABLE_AFTER_MS = 60_000

/**
 * Keeps a process running: one that ends by itself is started again, after a delay that doubles up to 30 seconds, until
 * it says that this would not help. Each death is one line in the log.
 */
export function keepRunning<S extends Service>(name: string, start: () => Promise<S>, log: Log): KeptService<S> {
  const stopping = new AbortController()
  const task = { name, log, stopping: stopping.signal }
  let starting: Promise<S> | undefined
  let up = false
  let starts = 0

  async function startOnce(): Promise<S> {
    starts++
    starting = start()
    const service = await starting
    if (stopping.signal.aborted) await service.stop()
    const ended = service.exited.then((exit) => Promise.reject(faultOf(exit, name)))
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
    for (let deaths = firstDeaths; ; deaths++) {
      if (fault instanceof PermanentError) throw fault
      if (!(await waitToStartAgain(task, fault, deaths))) return undefined
      try {
        const service = await startOnce()
        log.warn(`${name} runs again.`)
        return { service, deaths }
      } catch (error) {
        fault = error as Error
      }
    }
  }

  async function watch(started: S): Promise<void> {
    let running: { service: S; deaths: number } | undefined = { service: started, deaths: 0 }
    while (running) {
      const began = Date.now()
      const exit = await running.service.exited
      const deaths = Date.now() - began > STABLE_AFTER_MS ? 1 : running.deaths + 1
      running = await startAgain(faultOf(exit, name), deaths)
    }
  }

  const first = startFirst(task, () => startOnce())
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
    status: () => ({ up, restarts: Math.max(0, starts - 1) }),
    stop: async () => {
      stopping.abort()
      await starting?.then((service) => service.stop()).catch(() => {})
      await watching
    },
  }
}
