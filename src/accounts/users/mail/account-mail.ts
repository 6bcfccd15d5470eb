import type { Outbox } from '../../../mail/outbox.ts'
import type { MailText } from './mail-rules.ts'

/** How accounts reach people. */
export type AccountMail = {
  /** The address of the app, without a slash at its end. */
  origin: string
  /** Absent where no mail server is set: then links are shown to operators, and no one is notified. */
  outbox?: Pick<Outbox, 'write' | 'post'>
  /** Shows a line in the operator's terminal. */
  show: (line: string) => void
}

/**
 * Mails a text, or shows its link in the operator's terminal where there is no mail server. No one waits for it: the
 * time an answer takes must not show whether there was something to mail.
 */
export function mailOrShow(mail: AccountMail, to: string, text: MailText, shown: string | undefined): void {
  if (mail.outbox) mail.outbox.post({ to, ...text })
  else if (shown !== undefined) mail.show(shown)
}
