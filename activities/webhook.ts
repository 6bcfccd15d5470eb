import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { Messenger } from '../src/webhooks/rounds/delivery-workflows.ts'
import { passOnNotices } from '../src/webhooks/rounds/pass-on-notices.ts'

/** What a webhook's workflow does to the world. */
export function webhookActivities(ctx: Context, { messenger }: { messenger: Messenger }) {
  return {
    /** Passes on what happened to a webhook to those of its deliveries whose workflows wait. Answers how many. */
    async passOn(webhookId: string): Promise<number> {
      const activity = Activity.current()
      return passOnNotices(ctx.sql, messenger, { webhookId, heartbeat: () => activity.heartbeat() })
    },
  }
}
