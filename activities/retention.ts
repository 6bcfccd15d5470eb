import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import { deleteOldDeliveries, deleteOldTestEvents } from '../src/webhooks/retention-store.ts'

const BATCH = 1_000

/** What the daily retention run does to the world. */
export function retentionActivities({ sql }: Context) {
  return {
    /** Deletes deliveries, and test events, that the log no longer keeps. */
    async deleteOldLog({ now }: { now: Instant }): Promise<{ deliveries: number; testEvents: number }> {
      let deliveries = 0
      for (;;) {
        const deleted = await deleteOldDeliveries(sql, now, BATCH)
        deliveries += deleted
        Activity.current().heartbeat(deliveries)
        if (deleted < BATCH) break
      }
      return { deliveries, testEvents: await deleteOldTestEvents(sql, now) }
    },
  }
}
