import { Context as Activity } from '@temporalio/activity'
import { collectDueSources } from '../src/collecting/collect-due-sources.ts'
import { collectNamedSource } from '../src/collecting/collect-named-sources.ts'
import { createCollecting } from '../src/collecting/collecting.ts'
import type { CollectLimits, CollectOutcome, DueReport } from '../src/collecting/schema.ts'
import type { Context } from '../src/context.ts'
import { type Instant, SECOND } from '../src/lib/instant.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'

type Tools = {
  get: SafeFetch['get']
  /** Starts `collect/<source>`, unless it runs. */
  startCollecting: (source: string) => Promise<void>
}

/** `byOperator`: an operator wants it read now, even if reading it ended a process twice. */
type CollectSource = { source: string; now: Instant; byOperator?: true }

/** Collecting, as workflows call it. */
export function collectActivities(ctx: Context, { get, startCollecting }: Tools) {
  const collecting = createCollecting(ctx, get)
  return {
    /** Collects what is due within a time budget. One bad source never stops the others. */
    collectDueSources({ now, budgetMs }: { now: Instant; budgetMs: number }): Promise<DueReport> {
      return withHeartbeat((limits) => collectDueSources(collecting, now, { budgetMs, startCollecting, ...limits }))
    },
    /** Collects one source, however long it takes. */
    collectSource({ source, now, byOperator }: CollectSource): Promise<CollectOutcome> {
      return withHeartbeat((limits) => collectNamedSource(collecting, source, now, { ...limits, byOperator }))
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
