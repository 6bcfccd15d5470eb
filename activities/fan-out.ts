import { heartbeat } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import { type FanOut, fanOut } from '../src/webhooks/matching/fan-out-store.ts'

export function fanOutActivities(ctx: Context) {
  return {
    /** Turns every change published so far into deliveries that are due at the check's `now`; answers how many. */
    async fanOut({ now }: { now: Instant }): Promise<FanOut> {
      const total = { events: 0, deliveries: 0 }
      for (;;) {
        const done = await fanOut(ctx.sql, { now })
        if (done.events === 0) return total
        total.events += done.events
        total.deliveries += done.deliveries
        heartbeat(total)
      }
    },
  }
}
