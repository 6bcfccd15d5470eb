import { sendKeptMails } from '../src/accounts/users/send-mail.ts'
import type { Context } from '../src/context.ts'

/** Mails to people. */
export function mailActivities({ sql, secretKey, mailer }: Context) {
  return {
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
