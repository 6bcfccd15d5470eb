/**
 * Preloaded into the API process when its slowest answers are to be explained (`node --import`). Writes a line of JSON
 * to descriptor 3 for each garbage collection and for each turn of the event loop that took long, with the times at
 * which it began and ended, and how long the main thread ran and waited for a processor meanwhile.
 */
import { readFileSync, writeSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'

const TICK_MS = 2
const LONG_TURN_MS = 2
const REPORT_FD = 3

/** @param {object} line */
const report = (line) => void writeSync(REPORT_FD, `${JSON.stringify(line)}\n`)
const schedule = () => readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ').map(Number)

new PerformanceObserver((list) => {
  for (const { startTime, duration, detail } of list.getEntries()) {
    const from = performance.timeOrigin + startTime
    // @ts-expect-error the kind of a garbage collection
    report({ what: 'gc', kind: detail.kind, from, to: from + duration })
  }
}).observe({ entryTypes: ['gc'] })

let last = performance.now()
let [ranBefore = 0, waitedBefore = 0] = schedule()
setInterval(() => {
  const now = performance.now()
  const [ran = 0, waited = 0] = schedule()
  if (now - last > TICK_MS + LONG_TURN_MS) {
    const [from, to] = [performance.timeOrigin + last, performance.timeOrigin + now]
    report({ what: 'turn', from, to, ranMs: (ran - ranBefore) / 1e6, waitedMs: (waited - waitedBefore) / 1e6 })
  }
  last = now
  ranBefore = ran
  waitedBefore = waited
}, TICK_MS).unref()
