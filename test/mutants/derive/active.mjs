/**
 * Loaded by every process that tests start: answers the switches of `switches.ts`. Where places are recorded, none is
 * active, and what a process of its own reached counts for the test that started it.
 */
import { appendFileSync } from 'node:fs'

const { PRICETAPE_PLACES: file, PRICETAPE_MUTANT } = process.env

globalThis.activeMutant = Number(PRICETAPE_MUTANT ?? 0)
globalThis.reachedPlaces = new Set()
globalThis.mutant = file
  ? (id) => {
      globalThis.reachedPlaces.add(id)
      return false
    }
  : (id) => id === globalThis.activeMutant

/** Says what was reached since this was called last. */
globalThis.notePlaces = (test) => {
  const places = [...globalThis.reachedPlaces]
  globalThis.reachedPlaces.clear()
  if (file && test && places.length > 0) appendFileSync(file, `${JSON.stringify({ ...test, places })}\n`)
}

if (file) process.once('exit', () => globalThis.notePlaces(JSON.parse(process.env.PRICETAPE_REACHED_BY ?? 'null')))
