import { HOUR } from '../../lib/instant.ts'
import { INVITATION_LIFETIME_MS } from '../invitations/invitation-rules.ts'
import { LINK_LIFETIME_MS, type LinkKind } from './link-rules.ts'

/** `validMs`: how long there is a point in sending it. */
export type MailText = { subject: string; text: string; validMs: number }

const IGNORE = 'If you did not request this, ignore this message: nothing happens.'

type Mailed = Exclude<LinkKind, 'first_account'>

/** The mail with a link. */
export function linkMail(kind: Mailed, link: string): MailText {
  const text = {
    sign_up: {
      subject: 'Create your Pricetape account',
      text: `Open this link within 24 hours to choose your name and password:\n\n${link}\n\n${IGNORE}\n`,
    },
    verify_email: {
      subject: 'Confirm your e-mail address for Pricetape',
      text: `Open this link within 24 hours to confirm that this is your address:\n\n${link}\n\n${IGNORE}\n`,
    },
    change_email: {
      subject: 'Confirm your new e-mail address for Pricetape',
      text: `Open this link within 24 hours. Your Pricetape account has this address from then on:\n\n${link}\n\n${IGNORE}\n`,
    },
    reset_password: {
      subject: 'Choose a new Pricetape password',
      text: `Open this link within an hour to choose a new password:\n\n${link}\n\n${IGNORE}\n`,
    },
  }[kind]
  return { ...text, validMs: LINK_LIFETIME_MS[kind] ?? HOUR }
}

/** The mail to somebody who signs up with an address that has an account. */
export const accountExistsMail = (origin: string): MailText => ({
  subject: 'You have a Pricetape account',
  text: `Somebody, probably you, wanted to create an account with this address. It has one already: sign in at ${origin}, or choose a new password there.\n\n${IGNORE}\n`,
  validMs: HOUR,
})

export const invitationMail = (given: { workspace: string; invitedBy: string; link: string }): MailText => ({
  subject: `${given.invitedBy} invites you to ${given.workspace} on Pricetape`,
  text: `${given.invitedBy} invites you to the workspace ${given.workspace}. Open this link within 7 days to accept:\n\n${given.link}\n\nIf you do not know what this is about, ignore this message.\n`,
  validMs: INVITATION_LIFETIME_MS,
})
