import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../src/lib/sql.ts'
import { newestCheckRun } from '../../src/monitoring/check-run-store.ts'
import type { gatherReports } from './reports.ts'

/** Checks run every 5 seconds here. Without one for this long, work has stopped. */
const STALLED_AFTER_MS = 30_000
const REPORTED_WITHIN_MS = 60_000
/** A report of what causes a stall may come a moment before the last check that still finished. */
const BEFORE_MS = 10_000
const LOOK_EVERY_MS = 1_000

/** Notes every time in which no check finished. */
export function watchStalls(sql: Sql, over: () => boolean) {
  const stalls: { from: number; until: number }[] = []
  async function look() {
    let known = ''
    let since = Date.now()
    while (!over()) {
      const run = await newestCheckRun(sql).catch(() => undefined)
      if (run && run.runId !== known) {
        if (Date.now() - since > STALLED_AFTER_MS) stalls.push({ from: since, until: Date.now() })
        known = run.runId
        since = Date.now()
      }
      await sleep(LOOK_EVERY_MS)
    }
  }
  return {
    done: look(),
    /** Returns how many there were, the longest, and those that nothing was said about within a minute. */
    summary(reports: ReturnType<typeof gatherReports>) {
      const silent = stalls.filter(
        ({ from, until }) => reports.between(from - BEFORE_MS, Math.min(until, from + REPORTED_WITHIN_MS)).length === 0,
      )
      const longest = Math.max(0, ...stalls.map(({ from, until }) => until - from))
      return { count: stalls.length, longestSeconds: Math.round(longest / 1000), silent: silent.length }
    },
  }
}
