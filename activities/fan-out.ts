import { heartbeat } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { WorkRecorder } from '../src/monitoring/record-work.ts'
import { type MatchReport, matchEvents } from '../src/webhooks/matching/match-events.ts'

export function fanOutActivities(ctx: Context, { record }: { record: WorkRecorder }) {
  return {
    /** Turns every change published so far into deliveries that are due at the check's `now`. Returns how many. */
    async fanOut({ now }: { now: Instant }): Promise<MatchReport> {
      const total = { events: 0, deliveries: 0 }
      for (;;) {
        const done = await matchEvents(ctx.sql, { now })
        if (done.events === 0) return total
        record.matched(done)
        total.events += done.events
        total.deliveries += done.deliveries
        heartbeat(total)
      }
    },
  }
}
