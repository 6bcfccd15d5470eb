import { heartbeat } from '@temporalio/activity'
import { databaseNow } from '../src/catalog/clock-store.ts'
import type { Context } from '../src/context.ts'
import { type FanOut, fanOut } from '../src/webhooks/fan-out-store.ts'

export function fanOutActivities(ctx: Context) {
  return {
    /** Turns every change published so far into deliveries that are due now; answers how many of each. */
    async fanOut(): Promise<FanOut> {
      const total = { events: 0, deliveries: 0 }
      for (;;) {
        const done = await fanOut(ctx.sql, { now: await databaseNow(ctx.sql) })
        if (done.events === 0) return total
        total.events += done.events
        total.deliveries += done.deliveries
        heartbeat(total)
      }
    },
  }
}
