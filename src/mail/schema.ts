import type { MailSubject } from '../lib/text/mail-subjects.ts'

/** A message to one person, in plain text. */
export type Mail = {
  /** One address. Who writes to several people sends several messages: each is retried by itself. */
  to: string
  subject: MailSubject
  text: string
  /**
   * The same for every attempt to send this message, and different from that of any other message. It becomes the Message-ID: when an attempt
   * reached the server and its answer was lost, the next one is a copy that mail programs recognize.
   */
  id: string
  /** Where a POST ends mails of this kind without signing in (RFC 8058). */
  unsubscribe?: string
}

/** What sends mail. It makes one attempt: who calls it retries, for example as an activity of a workflow. */
export type Mailer = AsyncDisposable & {
  /**
   * Sends a message: when this returns, the mail server has taken it.
   * @throws MailError
   */
  sendMail(mail: Mail): Promise<void>
}

/** The mail server did not take a message. The message says why, and holds no user name or password. */
export class MailError extends Error {
  override name = 'MailError'
  /** The server will never take this message: it refused the address or the content for good. */
  readonly permanent: boolean

  constructor(message: string, options: { permanent?: boolean } = {}) {
    super(message)
    this.permanent = options.permanent ?? false
  }
}
