import { sendKeptMails } from '../src/accounts/users/mail/send-mail.ts'
import type { Context } from '../src/context.ts'
import { mailPauses } from '../src/webhooks/manage/mail-pauses.ts'

/** Mails to people. */
export function mailActivities({ sql, log, config, secretKey, mailer }: Context) {
  const origin = config.publicUrl ? new URL(config.publicUrl).origin : `http://localhost:${config.port}`
  return {
    /**
     * Mails admins about the webhooks that failures have paused. Returns how many mails.
     * @throws Error saying which mails did not arrive: they are sent again with the next check
     */
    async mailPauses(): Promise<number> {
      const send = mailer && ((mail: Parameters<typeof mailer.sendMail>[0]) => mailer.sendMail(mail))
      const { mailed, problems } = await mailPauses({ sql, log, origin, send })
      if (problems.length > 0) throw new Error(problems.join(' '))
      return mailed
    },

    /**
     * Sends the account mails that the mail server did not take at first. Returns how many.
     * @throws Error saying which problem there is: the mails are sent again with the next check
     */
    async sendKeptMails(): Promise<number> {
      if (!mailer) return 0
      const { sent, problems } = await sendKeptMails({ sql, secretKey, send: (mail) => mailer.sendMail(mail) })
      if (problems.length > 0) throw new Error(problems.join(' '))
      return sent
    },
  }
}
