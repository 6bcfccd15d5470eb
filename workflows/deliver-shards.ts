import { condition, log, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Instant } from '../src/lib/instant.ts'
import { emptyReport, type RoundReport } from '../src/webhooks/rounds/round-schema.ts'
import type { Shard } from '../src/webhooks/rounds/shard-rules.ts'
import { added } from './check-report.ts'

/** How often shards that have nothing more to do are looked at again while others run. */
const LOOK_AGAIN_MS = 10_000

/** A worker of the version before knows nothing of shards: another one is asked soon. */
const { dueShards } = proxyActivities<Activities>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 10, initialInterval: '500ms', maximumInterval: '2s' },
})
const { deliverDue } = proxyActivities<Activities>({
  // Else the worker that decides keeps several shards for itself.
  allowEagerDispatch: false,
  startToCloseTimeout: '260s',
  heartbeatTimeout: '20s',
  retry: { maximumAttempts: 5, initialInterval: '1s' },
})

type Round = {
  /** Whether this check has delivered before: what it has sent counts on. */
  again: boolean
  now: () => Instant
  stopAt: Instant
  /** Shows an operator, in one line, how far all shards are. */
  show: (line: string) => void
  /** A shard could not be run to its end. The others run all the same. */
  failed: (shard: Shard, error: unknown) => void
}

/**
 * Runs a delivery round in shards, which any workers take, until nothing is due or its time is up. A shard that was over
 * runs again when something of it has become due.
 */
export async function deliverInShards({ again: before, now, stopAt, show, failed }: Round): Promise<RoundReport> {
  const begun = new Set<number>()
  const running = new Set<number>()
  /** Shards that found nothing to do: what is due there cannot be had now. */
  const idle = new Set<number>()
  let report = emptyReport()
  let due = await dueShards({ now: now() })
  const { of } = due
  const showAll = () => show(lineOf(report, { begun: begun.size, running: running.size, of }))

  async function run(shard: number) {
    const again = before || begun.has(shard)
    begun.add(shard)
    running.add(shard)
    showAll()
    try {
      const input = { roundId: workflowInfo().runId, now: now(), stopAt, shard: { shard, of }, ...(again && { again }) }
      const done = await deliverDue.executeWithOptions({ summary: `shard ${shard} of ${of}` }, [input])
      report = added(report, done)!
      if (done.started + done.unsent === 0) idle.add(shard)
      else idle.delete(shard)
    } catch (error) {
      idle.add(shard)
      failed({ shard, of }, error)
    } finally {
      running.delete(shard)
      showAll()
    }
  }

  for (let isEnd = false; ; ) {
    for (const shard of due.shards) if (!running.has(shard) && !(isEnd && idle.has(shard))) void run(shard)
    if (running.size === 0) return report
    isEnd = await condition(() => running.size === 0, LOOK_AGAIN_MS, { summary: 'looks for more that is due' })
    if (now() >= stopAt) {
      await condition(() => running.size === 0)
      return report
    }
    due = await dueShards({ now: now(), of }).catch(() => {
      log.warn('what became due during the round could not be looked up')
      return { shards: [], of }
    })
  }
}

function lineOf(report: RoundReport, { begun, running, of }: { begun: number; running: number; of: number }): string {
  const { started, succeeded, failed, unclear, unsent } = report
  const still = running > 0 ? `, ${running} of them still running` : ''
  const numbers = `${started} started, ${succeeded} succeeded, ${failed} failed, ${unclear} unclear, ${unsent} not sent`
  return `**Round** in ${begun} of ${of} shards${still}. Of those that ended: ${numbers}.`
}
