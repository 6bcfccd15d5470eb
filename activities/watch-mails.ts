import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import { type Instant, MINUTE } from '../src/lib/instant.ts'
import { planMails } from '../src/watches/plan-mails.ts'
import { sendMails } from '../src/watches/send-mails.ts'

/** One activity sends for so long; the workflow calls it again while mails wait. */
const SEND_WITHIN_MS = MINUTE

/** Mails to people about what they watch. Without a mail server and a public address nothing is planned: it waits. */
export function watchActivities({ sql, config: { publicUrl }, mailer }: Context) {
  return {
    /** Turns what was published into mails. Returns how many could be sent now. */
    async planWatchMails({ now }: { now: Instant }): Promise<number> {
      return mailer && publicUrl ? planMails(sql, now) : 0
    },

    /**
     * Sends the mails that wait. Returns how many: fewer wait then.
     * @throws Error saying which problem there is, when nothing was sent: the mails are sent again with a later check
     */
    async sendWatchMails(): Promise<number> {
      if (!mailer || !publicUrl) return 0
      const activity = Activity.current()
      const end = performance.now() + SEND_WITHIN_MS
      const origin = new URL(publicUrl).origin
      const tools = { sql, origin, send: (mail: Parameters<typeof mailer.sendMail>[0]) => mailer.sendMail(mail) }
      const { sent, problems } = await sendMails(tools, (count) => {
        activity.heartbeat(count)
        return performance.now() > end || activity.cancellationSignal.aborted
      })
      if (sent === 0 && problems.length > 0) throw new Error(problems.join(' '))
      return sent
    },
  }
}
