import type { MailText } from './mail-rules.ts'

/** How accounts reach people. */
export type AccountMail = {
  /** The address of the app, without a slash at its end. */
  origin: string
  /** Absent where no mail server is set: then links are shown to operators. */
  send?: (mail: MailText & { to: string }) => Promise<void>
  /** Shows a line in the operator's terminal. */
  show: (line: string) => void
}

/**
 * Mails a text, or shows its link in the operator's terminal where there is no mail server. Nobody waits for it: the
 * time an answer takes must not show whether there was something to mail.
 */
export function mailOrShow(mail: AccountMail, to: string, text: MailText, shown: string | undefined): void {
  if (mail.send) {
    mail.send({ to, ...text }).catch((error: Error) => {
      mail.show(`"${text.subject}" could not be mailed: ${error.message}`)
    })
  } else if (shown !== undefined) mail.show(shown)
}
