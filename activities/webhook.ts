import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import type { DeliveryWorkflows } from '../src/webhooks/rounds/delivery-workflows.ts'
import { passOnNotices } from '../src/webhooks/rounds/pass-on-notices.ts'

/** What a webhook's workflow does to the world. */
export function webhookActivities({ sql }: Context, { workflows }: { workflows: DeliveryWorkflows }) {
  return {
    /** Passes on what was done to a webhook to those of its deliveries whose workflows wait. Returns how many. */
    async passOn(webhookId: string): Promise<number> {
      const activity = Activity.current()
      return passOnNotices(sql, workflows, { webhookId, heartbeat: () => activity.heartbeat() })
    },
  }
}
