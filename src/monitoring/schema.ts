import type { Instant } from '../lib/instant.ts'

/** Everything that can be wrong with an installation. The codes are stable and for programs. */
export const CONDITIONS = {
  database_away: 'not_ready',
  database_read_only: 'not_ready',
  disk_full: 'not_ready',
  database_not_writable: 'not_ready',
  clock_skew: 'not_ready',
  clock_jumped: 'not_ready',
  no_check_yet: 'not_ready',
  no_recent_check: 'not_ready',
  deliveries_late: 'not_ready',
  namespace_missing: 'not_ready',
  search_attributes_missing: 'not_ready',
  two_installations: 'not_ready',
  temporal_away: 'degraded',
  no_worker: 'degraded',
  schedule_paused: 'degraded',
  check_problems: 'degraded',
  source_undeclared: 'degraded',
  clock_stepped_back: 'degraded',
  stamps_ahead: 'degraded',
} as const satisfies Record<string, Severity>

/** `not_ready`: a part of the product does not work. `degraded`: it works, and an operator should know. */
type Severity = 'not_ready' | 'degraded'
type ConditionCode = keyof typeof CONDITIONS

/** Something that is wrong, with one sentence for people. */
export type Condition = { code: ConditionCode; message: string }

export type Health = {
  ready: boolean
  /** This process can serve reads, whatever else does not work. */
  reads: boolean
  reasons: Condition[]
  degraded: Condition[]
}

/** A check that finished, by the database's clock. */
export type CheckRun = { runId: string; startedAt: Instant; finishedAt: Instant; problems: string[] }

/** A process with workers, and what it found wrong when it last looked. */
export type WorkerReport = { host: string; processId: number; seenAt: Instant; conditions: Condition[] }

/** What waits to be delivered, as it was last counted. */
export type WaitingDeliveries = {
  countedAt: Instant
  due: number
  inFlight: number
  /** Due at a later time. */
  later: number
  /** Due while their webhook is paused. */
  paused: number
  /** Workspaces with an active webhook. */
  workspaces: number
  /** Those of them with a late delivery to an endpoint that took the last attempt. */
  lateWorkspaces: number
  /** Since when the oldest delivery to such an endpoint has been due. */
  oldestDueAt?: Instant
  /** How long ago that was, by the database's clock. */
  oldestDueSeconds: number
}
