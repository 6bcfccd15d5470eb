import { log, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Instant } from '../src/lib/instant.ts'
import { STOP_STARTING_AFTER_MS } from '../src/webhooks/rounds/round-rules.ts'

/** What collecting may take of a check; a slower source goes on in its own workflow and the next check finds it. */
const COLLECT_BUDGET_MS = 60_000

const { collectDueSources } = proxyActivities<Activities>({
  startToCloseTimeout: COLLECT_BUDGET_MS + 30_000,
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 1 },
})
const { fanOut } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 2 },
})
const { reconcile } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 2 },
})
const { deliverDue } = proxyActivities<Activities>({
  startToCloseTimeout: '260s',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 5, initialInterval: '1s' },
})

/** What each part of a check found or did; a part that failed says why, and the parts after it ran all the same. */
export type CheckReport = {
  collected?: Awaited<ReturnType<typeof collectDueSources>>
  fannedOut?: Awaited<ReturnType<typeof fanOut>>
  repaired?: Awaited<ReturnType<typeof reconcile>>
  delivered?: Awaited<ReturnType<typeof deliverDue>>
  problems: string[]
}

/**
 * One check, every five minutes: collects the sources that are due, turns what changed into deliveries, repairs what
 * crashes left behind, then runs the delivery round. Stops starting deliveries 200 seconds after it began.
 */
export async function check(): Promise<CheckReport> {
  const startedAt = Date.now()
  const stopAt = instantOf(startedAt + STOP_STARTING_AFTER_MS)
  const problems: string[] = []

  async function part<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    setCurrentDetails(`**${name}** since ${instantOf(Date.now())}.${problems.map((line) => `\n\n${line}`).join('')}`)
    try {
      return await work()
    } catch (error) {
      const { cause, message } = error as Error
      problems.push(`${name} failed: ${(cause as Error | undefined)?.message ?? message}`)
      log.warn('a part of the check failed', { part: name })
      return undefined
    }
  }

  const collected = await part('Collecting due sources', () =>
    collectDueSources({ now: instantOf(Date.now()), budgetMs: COLLECT_BUDGET_MS }),
  )
  const fannedOut = await part('Turning changes into deliveries', () => fanOut({ now: instantOf(Date.now()) }))
  const repaired = await part('Repairing', () => reconcile({ now: instantOf(Date.now()) }))
  const round = { roundId: workflowInfo().runId, now: instantOf(Date.now()), stopAt }
  const delivered = await part('Delivering', () => deliverDue(round))
  setCurrentDetails(problems.join('\n\n') || 'Done.')
  return { collected, fannedOut, repaired, delivered, problems }
}

const instantOf = (epochMs: number) => new Date(epochMs).toISOString() as Instant
