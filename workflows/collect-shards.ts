import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { CollectOutcome, DueReport } from '../src/collecting/schema.ts'
import type { Instant } from '../src/lib/instant.ts'
import { sourcesQueue } from '../src/webhooks/workflow-schema.ts'

/** What collecting may take of a check; a slower source goes on in its own workflow and the next check finds it. */
const COLLECT_BUDGET_MS = 60_000
/** A result of Temporal's holds 2 MB: of more sources the check lists those of which there is most to say. */
const LISTED = 500

const options = {
  startToCloseTimeout: COLLECT_BUDGET_MS + 30_000,
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 1 },
} as const
const { collectDueSources, compareSources } = proxyActivities<Activities>(options)
/** A shard that gets a worker after its time collects nothing. */
const onAnyWorker = () =>
  proxyActivities<Activities>({
    ...options,
    taskQueue: sourcesQueue(workflowInfo().taskQueue),
    scheduleToCloseTimeout: 2 * COLLECT_BUDGET_MS + 30_000,
  })

/** Collects what is due: in one activity, or in shards on all workers where that is more than one takes. */
export async function collectDue(now: Instant): Promise<DueReport> {
  const report = await collectDueSources({ now, budgetMs: COLLECT_BUDGET_MS, mayDivide: true })
  const of = report.shards
  if (!of) return report
  const shards = Array.from({ length: of }, (_, index) => ({ index, of }))
  const collect = onAnyWorker().collectDueSources
  const ended = await Promise.allSettled(shards.map((shard) => collect({ now, budgetMs: COLLECT_BUDGET_MS, shard })))
  await compareSources({ now })
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return together(ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])))
}

/** Adds up what the shards of a check did. */
export function together(reports: DueReport[]): DueReport {
  const collected = reports.flatMap((report) => report.collected).sort((a, b) => weight(b) - weight(a))
  const offline = reports.filter(({ collected }) => collected.length > 0)
  const [noInternet] = offline.every((report) => report.noInternet) ? offline.map((report) => report.noInternet) : []
  return {
    collected: collected.slice(0, LISTED),
    slow: reports.flatMap(({ slow }) => slow),
    left: reports.reduce((sum, { left }) => sum + left, 0),
    ...(collected.length > LISTED && { more: collected.length - LISTED }),
    ...(noInternet && { noInternet }),
  }
}

const weight = ({ problem, outcome }: CollectOutcome): number => (problem ? 2 : outcome === 'changed' ? 1 : 0)
