import type { SmtpServer } from '../lib/http/smtp-url.ts'
import { MailError } from './schema.ts'

const MOST_CHARACTERS = 300

/** What the SMTP client hangs on its errors. */
type SmtpError = Error & { code?: string; responseCode?: number; command?: string }

/** Returns an error that can be shown and logged: what went wrong with which server, without credentials and the recipient. */
export function mailErrorOf(error: SmtpError, { host, port, auth }: SmtpServer, to = ''): MailError {
  const secrets = [...(auth ? [auth.pass, auth.user] : []), to, to.toLowerCase()].filter(Boolean)
  // A server may repeat what it was sent, also in base64.
  const forms = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
  const redacted = forms.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), error.message)
  const line = redacted.replace(/\s+/g, ' ').slice(0, MOST_CHARACTERS)
  return new MailError(`The mail server ${host}:${port} did not take the message: ${line}`, {
    permanent: isPermanent(error),
  })
}

/** The server wants a login, or encryption, first (RFC 4954 and 3207). */
const LOGIN_REQUIRED = 530

/** A refused recipient or text stays refused. A refused login or sender does not: the settings can be corrected. */
const isPermanent = ({ responseCode = 0, command = '', code }: SmtpError): boolean =>
  responseCode >= 500 && responseCode !== LOGIN_REQUIRED && code !== 'EAUTH' && /^(RCPT TO|DATA)$/.test(command)
