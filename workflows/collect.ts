import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { CollectOutcome } from '../src/collecting/schema.ts'
import type { Instant } from '../src/lib/instant.ts'
import { collectingQueue } from '../src/webhooks/workflow-schema.ts'

/** Slow sources have slots of their own: they must not take those that checks and rounds need. */
const slowly = () =>
  proxyActivities<Activities>({
    taskQueue: collectingQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '40m',
    heartbeatTimeout: '3m',
    retry: { maximumAttempts: 2 },
  })

/** One slow source, with time of its own: `collect/<source>`. What it finds, the next check sends. */
export async function collect(source: string, options: { byOperator?: true } = {}): Promise<CollectOutcome> {
  setCurrentDetails(`Collecting **${source}**.`)
  const outcome = await slowly().collectSource({ source, now: new Date().toISOString() as Instant, ...options })
  setCurrentDetails(`${source}: ${outcome.outcome}. ${outcome.problem ?? ''}`)
  return outcome
}
