import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import { mailPauses } from '../src/webhooks/manage/mail-pauses.ts'
import type { DeliveryWorkflows } from '../src/webhooks/rounds/delivery-workflows.ts'
import { passOnNotices } from '../src/webhooks/rounds/pass-on-notices.ts'

/** What a webhook's workflow does to the world. */
export function webhookActivities(ctx: Context, { workflows }: { workflows: DeliveryWorkflows }) {
  const { config, mailer } = ctx
  const origin = config.publicUrl ? new URL(config.publicUrl).origin : `http://localhost:${config.port}`
  return {
    /**
     * Mails admins about the webhooks that failures have paused. Returns how many mails.
     * @throws Error saying which mails did not arrive: they are sent again at the next attempt
     */
    async mailPauses(): Promise<number> {
      const send = mailer && ((mail: Parameters<typeof mailer.sendMail>[0]) => mailer.sendMail(mail))
      const { mailed, problems } = await mailPauses({ ...ctx, origin, send })
      if (problems.length > 0) throw new Error(problems.join(' '))
      return mailed
    },

    /** Passes on what was done to a webhook to those of its deliveries whose workflows wait. Returns how many. */
    async passOn(webhookId: string): Promise<number> {
      const activity = Activity.current()
      return passOnNotices(ctx.sql, workflows, { webhookId, heartbeat: () => activity.heartbeat() })
    },
  }
}
