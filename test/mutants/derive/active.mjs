/**
 * Loaded by every process and thread that tests start: answers the switches of `switches.ts`. Where places are recorded, none
 * is active, and what a process or thread of its own reached counts for the test that started it.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

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

/** Ends this process after so many milliseconds, also where it loops, unless the function it returns is called. */
globalThis.endAfter = (ms) => {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const watch = `
    const { workerData: { ended, ms, pid } } = require('node:worker_threads')
    if (Atomics.wait(ended, 0, 0, ms) === 'timed-out') process.kill(pid, 'SIGKILL')`
  new Worker(watch, { eval: true, workerData: { ended, ms, pid: process.pid }, execArgv: [], env: {} }).unref()
  return () => {
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
  }
}
