import { readFileSync } from 'node:fs'
import type { ReadResult } from './readers.ts'

/** Milliseconds that main threads ran, and could have run but waited for a processor. */
export type Processor = { ranMs: number; waitedMs: number }
export type ProcessUsage = Record<'readers' | 'api' | 'database', Processor>

/** What `observe.js` reports of the API process. */
export type ObserverReport = { what: 'gc' | 'turn'; from: number; to: number; ranMs?: number; waitedMs?: number }

/** Returns what watches the processes that take part in a read, for as long as the read takes. */
export function watchProcesses(pids: Record<keyof ProcessUsage, number[]>): () => () => ProcessUsage {
  const now = () => ({
    readers: processorOf(pids.readers),
    api: processorOf(pids.api),
    database: processorOf(pids.database),
  })
  return () => {
    const before = now()
    return () => {
      const after = now()
      const during = (who: keyof ProcessUsage) => ({
        ranMs: after[who].ranMs - before[who].ranMs,
        waitedMs: after[who].waitedMs - before[who].waitedMs,
      })
      return { readers: during('readers'), api: during('api'), database: during('database') }
    }
  }
}

function processorOf(pids: number[]): Processor {
  const sum = { ranMs: 0, waitedMs: 0 }
  for (const pid of pids) {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number)
    sum.ranMs += ran / 1e6
    sum.waitedMs += waited / 1e6
  }
  return sum
}

/** Returns what the slowest hundredth of the reads is made of, beside all reads: means in milliseconds. */
export function explain(reads: ReadResult<ProcessUsage>[], observed: ObserverReport[]) {
  const bySlowness = [...reads].sort((a, b) => b.ms - a.ms)
  const slowest = bySlowness.slice(0, Math.ceil(reads.length / 100))
  return {
    all: meansOf(reads, observed),
    slowest: meansOf(slowest, observed),
    each: slowest.map((read) => ({ path: read.path, ms: round(read.ms), ...partsOf(read, observed) })),
  }
}

function meansOf(reads: ReadResult<ProcessUsage>[], observed: ObserverReport[]) {
  const parts = reads.map((read) => ({ ms: round(read.ms), ...partsOf(read, observed) }))
  const names = Object.keys(parts[0]!) as (keyof (typeof parts)[number])[]
  return Object.fromEntries(
    names.map((name) => [name, round(parts.reduce((sum, part) => sum + part[name], 0) / parts.length)]),
  )
}

function partsOf({ at, ms, watched }: ReadResult<ProcessUsage>, observed: ObserverReport[]) {
  const { readers, api, database } = watched!
  const during = (what: ObserverReport['what']) =>
    observed
      .filter((seen) => seen.what === what)
      .reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, at + ms) - Math.max(from, at)), 0)
  return {
    readersRan: round(readers.ranMs),
    readersWaited: round(readers.waitedMs),
    apiRan: round(api.ranMs),
    apiWaited: round(api.waitedMs),
    databaseRan: round(database.ranMs),
    databaseWaited: round(database.waitedMs),
    collections: round(during('gc')),
    longTurns: round(during('turn')),
  }
}

const round = (ms: number) => Math.round(ms * 10) / 10
