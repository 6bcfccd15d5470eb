import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningInstallation } from './installation.ts'
import { PARTS, type Part } from './installation.ts'
import type { Laboratory } from './laboratory.ts'

const DAY_SECONDS = 86_400
const TEN_MINUTES = 600
/** A fault of the machine lasts until it is reported, or for a minute, and then for this long with a part killed. */
const HELD_AT_MOST_MS = 60_000
const HELD_MORE_MS = 8_000

export type Fault = {
  name: string
  /** What the installation must say about it within a minute. */
  says: RegExp
  /** Makes it, and ends it again where it does not end by itself. Returns false when it could not be made. */
  make: () => Promise<boolean>
}

/** A kill while its store is made leaves a store that is replaced at once. */
const TEMPORAL_ENDED = /Temporal ended|Temporal’s store was damaged/
const ENDED: Record<Part, RegExp> = {
  worker: /The worker ended/,
  api: /The API ended/,
  temporal: TEMPORAL_ENDED,
  store: TEMPORAL_ENDED,
  postgres: /PostgreSQL ended/,
}

export const killing = (installation: RunningInstallation): Record<Part, Fault> =>
  Object.fromEntries(
    PARTS.map((part) => [part, { name: part, says: ENDED[part], make: () => installation.kill(part) }]),
  ) as Record<Part, Fault>

/** Faults of the machine, each held for a while, with a kill in the middle of it. Only where the test has a machine to itself. */
export function machineFaults(
  laboratory: Laboratory,
  isReported: (from: number, says: RegExp) => boolean,
  killAny: () => Promise<void>,
): Fault[] {
  if (!laboratory.inside) return []
  const { setRoute, fillDisk, stepClock } = laboratory
  const held = (name: string, says: RegExp, set: (on: boolean) => void): Fault => ({
    name,
    says,
    async make() {
      const since = Date.now()
      set(true)
      while (!isReported(since, says) && Date.now() - since < HELD_AT_MOST_MS) await sleep(500)
      await killAny()
      await sleep(HELD_MORE_MS)
      set(false)
      return true
    },
  })
  const faults = [
    held('route dropped', /no route to the internet/, (on) => setRoute(!on)),
    held('disk full', /disk_full|disk is full|No space left/i, fillDisk),
  ]
  if (!stepClock) return faults
  return [
    ...faults,
    held('clock a day ahead', /clock_skew|clock_jumped|ahead of this machine/, (on) => stepClock(on ? DAY_SECONDS : 0)),
    held('clock ten minutes back', /clock_skew|clock_stepped_back|differ by/, (on) => stepClock(on ? -TEN_MINUTES : 0)),
  ]
}
