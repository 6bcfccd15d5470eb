import { createTransport } from 'nodemailer'
import { sha256 } from '../lib/hash.ts'
import type { SmtpServer } from '../lib/http/smtp-url.ts'
import { SECOND } from '../lib/instant.ts'
import { within } from '../lib/process/within.ts'
import { isMailAddress, type MailAddress } from '../lib/text/mail-address.ts'
import { mailErrorOf } from './error-rules.ts'
import { type Mail, MailError, type Mailer } from './schema.ts'

const CONNECT_WITHIN_MS = 10 * SECOND
const SILENT_FOR_MS = 20 * SECOND
const SEND_WITHIN_MS = 40 * SECOND
const MESSAGE_ID_DIGITS = 40

/** The server that mail goes through, and whom it is from. */
type MailSettings = { server: SmtpServer; from: MailAddress }

/**
 * Returns what sends mail through an SMTP server, a connection for each message.
 * @param trust.ca certificate authorities instead of the machine's
 */
export function createMailer({ server, from }: MailSettings, trust: { ca?: string } = {}): Mailer {
  const { host, port, tls, auth } = server
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    // No one else answers at an address of this machine: a certificate would prove nothing.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: tls !== 'offered', ...trust },
    ...(auth && { auth }),
    dnsTimeout: CONNECT_WITHIN_MS,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_FOR_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async sendMail({ to, subject, text, id, unsubscribe }: Mail) {
      if (!isMailAddress(to)) throw new MailError('The address to send mail to is not valid.', { permanent: true })
      // An address as an object is never read as a list of addresses.
      const message = { from, to: { name: '', address: to }, subject, text, messageId: messageIdOf(id, from) }
      // No mail program answers it with "I am on holiday".
      const headers = { 'auto-submitted': 'auto-generated', ...(unsubscribe && oneClick(unsubscribe)) }
      await within(SEND_WITHIN_MS, transport.sendMail({ ...message, headers })).catch((error) => {
        throw mailErrorOf(error, server, to)
      })
    },
    [Symbol.asyncDispose]: async () => transport.close(),
  }
}

/** Mail programs show a button that ends such mails with one click (RFC 8058). */
const oneClick = (url: string) => ({
  'list-unsubscribe': `<${url}>`,
  'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
})

/** Returns a Message-ID in the domain that the mail is from. It tells nothing of what the id names. */
const messageIdOf = (id: string, { address }: MailAddress): string => {
  const name = sha256(id).slice(0, MESSAGE_ID_DIGITS)
  return `<${name}@${address.slice(address.lastIndexOf('@') + 1)}>`
}
