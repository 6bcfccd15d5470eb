import type { Instant } from '../../lib/instant.ts'
import { emptyReport, type RoundReport } from './round-schema.ts'
import { type Shard, slicesOf } from './shard-rules.ts'

/** A shard of a round that this process is to run. */
export type ShardTask = {
  shard: Shard
  /** The workflow's time: of the whole round, so that tests may skip it. */
  now: () => Instant
  /** Goes on with a shard that ran before in this round: what was started then counts. */
  resumed: boolean
  heartbeat: (report: RoundReport) => void
  signal?: AbortSignal
}

/** One shard while this process runs it. */
export class ShardRun {
  readonly task: ShardTask
  readonly slices: number[]
  readonly report = emptyReport()
  /** Resolved with the report when the shard is over here. */
  readonly ended: Promise<RoundReport>
  end!: (report: RoundReport) => void
  fail!: (error: unknown) => void
  /** What it started before this process ran it is not counted yet. */
  mustResume: boolean
  loadedAt = Number.NEGATIVE_INFINITY
  /** Deliveries in the plan, and attempts under way. */
  waiting = 0
  inFlight = 0
  /** The first message of an internal error. */
  fault: string | undefined

  constructor(task: ShardTask) {
    this.task = task
    this.slices = slicesOf(task.shard)
    this.mustResume = task.resumed
    this.ended = new Promise((resolve, reject) => {
      this.end = resolve
      this.fail = reject
    })
  }
}
