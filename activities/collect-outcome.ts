import type { FetchOutcome } from '../src/catalog/source-store.ts'

/** What collecting one source came to. */
export type CollectOutcome = {
  source: string
  /** `skipped`: nothing was asked; `slow`: it goes on in a workflow of its own. */
  outcome: FetchOutcome | 'skipped' | 'slow'
  /** Where the snapshot came from. */
  from?: 'url' | 'file' | 'bundled' | 'stored'
  /** One sentence for the operator. */
  problem?: string
  /** Price lines that were published, and lines held for a person. */
  published?: number
  held?: number
  /** What was read and not taken, with an example each. */
  ignored?: { reason: string; count: number; example: string }[]
  durationMs: number
}

/** What a snapshot came to, before it is recorded. */
export type Derived = {
  outcome: 'changed' | 'unchanged' | 'quarantined'
  problem?: string
  snapshotHash?: string
  parserVersion?: number
  nextChangeAt?: string
  /** When it should be asked again, if that is sooner than its interval. */
  recheckAt?: string
  published?: number
  held?: number
  ignored?: CollectOutcome['ignored']
  /** The full report, for the source's log. */
  report?: unknown
}
