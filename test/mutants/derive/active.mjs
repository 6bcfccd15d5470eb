/**
 * Loaded by every process and thread that tests start: answers the switches of `switches.ts`. Where places are recorded, none
 * is active, and what a process or thread of its own reached counts for the test that started it.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { PRICETAPE_PLACES: file, PRICETAPE_MUTANT } = process.env

globalThis.activeMutant = Number(PRICETAPE_MUTANT ?? 0)
globalThis.reachedPlaces = new Set()
globalThis.mutant = file
  ? (id) => {
      if (globalThis.reachedPlaces.has(id)) return false
      globalThis.reachedPlaces.add(id)
      // A thread may be ended at any moment.
      if (!isMainThread) note({ ...startedBy(), places: [id] })
      return false
    }
  : (id) => id === globalThis.activeMutant

/** Says what was reached since this was called last. */
globalThis.notePlaces = (test) => {
  const places = [...globalThis.reachedPlaces]
  globalThis.reachedPlaces.clear()
  if (file && test && places.length > 0) note({ ...test, places })
}

const note = (reached) => appendFileSync(file, `${JSON.stringify(reached)}\n`)
const startedBy = () => JSON.parse(process.env.PRICETAPE_REACHED_BY ?? 'null')

if (file && isMainThread) process.once('exit', () => globalThis.notePlaces(startedBy()))
