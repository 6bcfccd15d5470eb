import { AppError } from '../../lib/errors.ts'
import type { AppTools } from '../tools.ts'

/** Whether mails about watches can be sent: their links need a public address. */
export function mailsOf({ mail, publicUrl }: AppTools): 'yes' | 'no_mail_server' | 'no_public_url' {
  if (!mail.outbox) return 'no_mail_server'
  return publicUrl === undefined ? 'no_public_url' : 'yes'
}

const MISSING = { no_mail_server: 'SMTP_URL and PRICETAPE_MAIL_FROM', no_public_url: 'PRICETAPE_PUBLIC_URL' }

/** @throws AppError unavailable */
export function requireMails(tools: AppTools): void {
  const mails = mailsOf(tools)
  if (mails !== 'yes')
    throw new AppError('unavailable', `This service cannot send such mails: its operator has to set ${MISSING[mails]}.`)
}
