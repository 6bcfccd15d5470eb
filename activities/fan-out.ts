import { heartbeat } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { WorkRecorder } from '../src/monitoring/record-work.ts'
import { type MatchReport, matchEvents } from '../src/webhooks/matching/match-events.ts'
import { PAIRS_PER_MATCH, pairsAfter } from '../src/webhooks/matching/match-rules.ts'

type Matching = { now: Instant; budgetMs?: number }

export function fanOutActivities(ctx: Context, { record }: { record: WorkRecorder }) {
  return {
    /**
     * Turns every change published so far into deliveries that are due at the check's `now`. Returns how many, and with
     * `left` whether its time ended before: what is left is matched by the next call, from where this one stopped.
     */
    async fanOut({ now, budgetMs = Number.POSITIVE_INFINITY }: Matching): Promise<MatchReport & { left?: true }> {
      const until = performance.now() + budgetMs
      const total = { events: 0, deliveries: 0 }
      for (let pairs = PAIRS_PER_MATCH.first; ; ) {
        const began = performance.now()
        const done = await matchEvents(ctx.sql, { now, pairs })
        if (!done) return total
        pairs = pairsAfter(pairs, performance.now() - began)
        record.matched(done)
        total.events += done.events
        total.deliveries += done.deliveries
        heartbeat(total)
        if (performance.now() >= until) return { ...total, left: true }
      }
    },
  }
}
