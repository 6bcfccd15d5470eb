import type { MailKind, MailSubject } from '../lib/text/mail-subjects.ts'

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

/** What a mail says, and to whom: its kind has the subject, its row in the outbox the id. */
export type MailContent = Pick<Mail, 'to' | 'text' | 'unsubscribe'>

/** `validMs`: how long there is a point in sending it. */
type OfKind = { kind: MailKind; validMs: number }

/**
 * A mail whose text is known when it is written. `about`: what tells mails of one kind to one address apart; while they wait, a newer
 * one about the same replaces the one before. It is not sent.
 */
export type TextMail = OfKind & { to: string; text: string; about?: string }

/**
 * A mail that is put in words when it is sent, from ids: to an account, or to an address. Of a kind one waits for an address; another
 * is not written meanwhile.
 */
export type FactMail = OfKind & { facts: object } & ({ accountId: string } | { to: string })

/** A mail of the outbox that someone sends. */
export type WaitingMail = {
  mailId: string
  kind: MailKind
  to: string | null
  accountId: string | null
  slot: string | null
  sealed: Uint8Array | null
  facts: unknown
}

/** Returns what a mail says now; undefined when no one wants it any more. */
export type ComposeMail = (mail: WaitingMail) => Promise<MailContent | undefined>

/** What sends mail. It makes one attempt: the outbox retries. */
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
