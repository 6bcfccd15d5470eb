import type { Tx } from '../../../lib/sql.ts'
import type { MailText } from './mail-rules.ts'

/** A mail with the id that it keeps however often it is sent. */
export type Notice = MailText & { to: string; id: string }

/** How accounts reach people. */
export type AccountMail = {
  /** The address of the app, without a slash at its end. */
  origin: string
  /** Absent where no mail server is set: then links are shown to operators. */
  send?: (mail: MailText & { to: string }) => Promise<void>
  /** Absent where no mail server is set: then no one is notified. */
  notices?: {
    /** Puts a notice into the outbox, in the transaction of what it reports. */
    keep: (tx: Tx, notice: Notice) => Promise<void>
    /** Sends it after the commit; without this the next check does. */
    send?: (notice: Notice) => Promise<void>
  }
  /** Shows a line in the operator's terminal. */
  show: (line: string) => void
}

/**
 * Mails a text, or shows its link in the operator's terminal where there is no mail server. No one waits for it: the
 * time an answer takes must not show whether there was something to mail.
 */
export function mailOrShow(mail: AccountMail, to: string, text: MailText, shown: string | undefined): void {
  if (mail.send) {
    mail.send({ to, ...text }).catch((error: Error) => {
      mail.show(`"${text.subject}" could not be mailed: ${error.message}`)
    })
  } else if (shown !== undefined) mail.show(shown)
}
