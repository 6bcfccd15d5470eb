import type { FetchOutcome } from '../catalog/sources/source-store.ts'
import type { FetchTools } from '../collectors/fetch/schema.ts'
import type { Log } from '../lib/log.ts'
import type { Sql } from '../lib/sql.ts'

/** What collecting works with. */
export type CollectTools = FetchTools & { sql: Sql; log: Log; pagesUrl?: string }

export type CollectLimits = {
  timeoutMs: number
  /** The time is what is left of a check: a source that takes longer is slow, not broken. */
  withinCheck?: boolean
  /** An operator wants it read now, even if reading it ended a process twice. */
  byOperator?: boolean
  signal?: AbortSignal
  progress?: (what: string) => void
}

/** The result of collecting one source. */
export type CollectOutcome = {
  source: string
  /** `skipped`: nothing was requested; `slow`: it goes on in a workflow of its own. */
  outcome: FetchOutcome | 'skipped' | 'slow'
  /** Where the snapshot came from. */
  from?: 'url' | 'file' | 'bundled' | 'stored'
  /** One sentence for the operator. */
  problem?: string
  /** No connection to its host came about. */
  unreachable?: boolean
  /** Price lines that were published, and lines held for a person. */
  published?: number
  held?: number
  /** What was read and not taken, with an example each. */
  ignored?: { reason: string; count: number; example: string }[]
  durationMs: number
}

/** What a snapshot led to, before it is recorded. */
export type SnapshotOutcome = {
  outcome: 'changed' | 'unchanged' | 'quarantined'
  problem?: string
  snapshotHash?: string
  parserVersion?: number
  nextChangeAt?: string
  /** When it should be read again, if that is sooner than its interval. */
  recheckAt?: string
  published?: number
  held?: number
  ignored?: CollectOutcome['ignored']
  /** The full report, for the source's log. */
  report?: unknown
}

/** A part of the sources that are due. */
export type SourceShard = { index: number; of: number }

/** What a check did with the sources that were due. */
export type DueReport = {
  collected: CollectOutcome[]
  /** Slow sources, which go on in workflows of their own. */
  slow: string[]
  /** Due sources there was no time for. */
  left: number
  /** More is due than one worker takes: nothing was collected yet, and is to be divided into this many shards. */
  shards?: number
  /** Collected sources that are not listed. */
  more?: number
  /** Nothing on the internet could be reached: one sentence for the operator. */
  noInternet?: string
}
