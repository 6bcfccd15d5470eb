import { Context as Activity } from '@temporalio/activity'
import { collectDueSources, compareSources } from '../src/collecting/collect-due-sources.ts'
import { collectNamedSource } from '../src/collecting/collect-named-sources.ts'
import { createCollecting } from '../src/collecting/collecting.ts'
import type { CollectLimits, CollectOutcome, DueReport, SourceShard } from '../src/collecting/schema.ts'
import type { Context } from '../src/context.ts'
import { epochMs, type Instant, SECOND } from '../src/lib/instant.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import type { WorkRecorder } from '../src/monitoring/record-work.ts'

type Tools = {
  get: SafeFetch['get']
  /** Starts `collect/<source>`, unless it runs. */
  startCollecting: (source: string) => Promise<void>
  record: WorkRecorder
}

/** `shard`: a part of what is due, of which the time began when the part was handed out. */
type CollectDue = { now: Instant; budgetMs: number; mayDivide?: true; shard?: SourceShard }

/** `byOperator`: an operator wants it read now, even if reading it ended a process twice. */
type CollectSource = { source: string; now: Instant; byOperator?: true }

/** Collecting, as workflows call it. */
export function collectActivities(ctx: Context, { get, startCollecting, record }: Tools) {
  const collecting = createCollecting(ctx, get)
  return {
    /** Collects what is due within a time budget. One bad source never stops the others. */
    async collectDueSources({ now, budgetMs, mayDivide, shard }: CollectDue): Promise<DueReport> {
      const waitedMs = shard ? Math.max(0, Date.now() - epochMs(now)) : 0
      const budget = { budgetMs: budgetMs - waitedMs, startCollecting, mayDivide, shard }
      const report = await withHeartbeat((limits) => collectDueSources(collecting, now, { ...budget, ...limits }))
      for (const outcome of report.collected) record.collected(outcome, report.noInternet !== undefined)
      return report
    },
    /** Compares what sources say of served prices, once all shards were collected. */
    compareSources: ({ now }: { now: Instant }): Promise<void> => compareSources(ctx, now),
    /** Collects one source, however long it takes. */
    async collectSource({ source, now, byOperator }: CollectSource): Promise<CollectOutcome> {
      const outcome = await withHeartbeat((limits) =>
        collectNamedSource(collecting, source, now, { ...limits, byOperator }),
      )
      record.collected(outcome)
      return outcome
    },
  }
}

const HEARTBEAT_MS = 5 * SECOND

/** Reports while work goes on what it is doing, and passes its cancellation on. */
async function withHeartbeat<T>(work: (limits: Pick<CollectLimits, 'signal' | 'progress'>) => Promise<T>): Promise<T> {
  const activity = Activity.current()
  let doing = 'starting'
  const timer = setInterval(() => activity.heartbeat(doing), HEARTBEAT_MS)
  const progress = (what: string) => {
    doing = what
  }
  try {
    return await work({ signal: activity.cancellationSignal, progress })
  } finally {
    clearInterval(timer)
  }
}
