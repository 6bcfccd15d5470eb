import { Context as Activity } from '@temporalio/activity'
import type { Context } from '../src/context.ts'
import { appOrigin } from '../src/lib/http/app-origin.ts'
import { type Instant, instantOf, MINUTE } from '../src/lib/instant.ts'
import { readOutbox } from '../src/mail/read-outbox.ts'
import type { ComposeMail } from '../src/mail/schema.ts'
import { sendMails } from '../src/mail/send-mails.ts'
import { composeNotice } from '../src/review/notify-operators.ts'
import { composeWatchMail } from '../src/watches/compose-mail.ts'
import { planMails } from '../src/watches/plan-mails.ts'
import { composePauseMail } from '../src/webhooks/attempts/mail-pauses.ts'

/** One activity sends for so long; the workflow calls it again while mails wait. */
const SEND_WITHIN_MS = MINUTE

/** Returns what puts the mails that are written as facts in words. */
export function createComposer({ sql, config }: Pick<Context, 'sql' | 'config'>): ComposeMail {
  const origin = appOrigin(config)
  return async (mail) => {
    if (mail.kind === 'webhook_paused') return composePauseMail(sql, origin, mail)
    if (mail.kind === 'review' || mail.kind === 'sources') return composeNotice(sql, mail, instantOf(Date.now()))
    if (!config.publicUrl) throw new Error('Links in mails about watches need PRICETAPE_PUBLIC_URL, which is not set.')
    return composeWatchMail(sql, origin, mail)
  }
}

/** Mails to people. */
export function mailActivities(ctx: Context) {
  const { sql, log, secretKey, mailer, config } = ctx
  const compose = createComposer(ctx)

  /**
   * Sends the mails that are due. Returns how many: fewer wait then.
   * @throws Error saying which problem there is, when nothing was sent: the mails are sent again with a later check
   */
  async function sendDueMails(): Promise<number> {
    if (!mailer) return 0
    const activity = Activity.current()
    const end = performance.now() + SEND_WITHIN_MS
    const { sent, problems } = await sendMails({ sql, log, secretKey, mailer, compose }, (count) => {
      activity.heartbeat(count)
      return performance.now() > end || activity.cancellationSignal.aborted
    })
    if (sent === 0 && problems.length > 0) throw new Error(problems.join(' '))
    return sent
  }

  return {
    /** Turns what was published into mails about watches. Without a mail server and a public address it waits. */
    async planWatchMails({ now }: { now: Instant }): Promise<number> {
      return mailer && config.publicUrl ? planMails(sql, now) : 0
    },

    /** Returns how many mails are due, and what is wrong when some were tried in vain. */
    async readOutbox(): Promise<{ due: number; problem?: string }> {
      const outbox = await readOutbox(sql)
      return mailer ? outbox : { due: 0 }
    },

    sendMails: sendDueMails,

    // Workflows from before there was one outbox ask for these during an update.
    sendWatchMails: sendDueMails,
    sendKeptMails: async (): Promise<number> => 0,
    mailPauses: async (): Promise<number> => 0,
  }
}
