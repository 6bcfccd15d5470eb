import { DAY, HOUR } from '../../../lib/instant.ts'
import { nameInMail } from '../../../lib/text/mail-names.ts'
import { MAIL_SUBJECTS, type MailSubject } from '../../../lib/text/mail-subjects.ts'
import { INVITATION_LIFETIME_MS } from '../../invitations/invitation-rules.ts'
import { LINK_LIFETIME_MS, type LinkKind } from '../links/link-rules.ts'

/**
 * `validMs`: how long there is a point in sending it. `about`: what tells mails of one subject to one address apart; while
 * they wait, a newer one about the same replaces the one before. It is not sent.
 */
export type MailText = { subject: MailSubject; text: string; validMs: number; about?: string }

const IGNORE = 'If you did not request this, ignore this message: nothing happens.'

type MailedLinkKind = Exclude<LinkKind, 'first_account'>

/** The mail with a link. */
export function linkMail(kind: MailedLinkKind, link: string): MailText {
  const text = {
    sign_up: 'Open this link within 24 hours to choose your name and password:',
    verify_email: 'Open this link within 24 hours to confirm that this is your address:',
    change_email: 'Open this link within 24 hours. Your Pricetape account has this address from then on:',
    reset_password: 'Open this link within an hour to choose a new password:',
  }[kind]
  const validMs = LINK_LIFETIME_MS[kind] ?? HOUR
  return { subject: MAIL_SUBJECTS[kind], text: `${text}\n\n${link}\n\n${IGNORE}\n`, validMs }
}

/** The mail to someone who signs up with an address that has an account. */
export const accountExistsMail = (origin: string): MailText => ({
  subject: MAIL_SUBJECTS.account_exists,
  text: `Someone, probably you, wanted to create an account with this address. It has one already: sign in at ${origin}, or choose a new password there.\n\n${IGNORE}\n`,
  validMs: HOUR,
})

export const invitationMail = (given: {
  workspaceId: string
  workspace: string
  invitedBy: string
  link: string
}): MailText => ({
  subject: MAIL_SUBJECTS.invitation,
  text: `"${nameInMail(given.invitedBy)}" invites you to the workspace "${nameInMail(given.workspace)}". Open this link within 7 days to accept:\n\n${given.link}\n\nIf you do not know what this is about, ignore this message.\n`,
  validMs: INVITATION_LIFETIME_MS,
  about: given.workspaceId,
})

/** The mail to a member whom an admin removed. */
export const memberRemovedMail = ({
  workspaceId,
  workspace,
}: {
  workspaceId: string
  workspace: string
}): MailText => ({
  subject: MAIL_SUBJECTS.member_removed,
  text: `An admin removed you from the workspace "${nameInMail(workspace)}". You can no longer open it. Your account stays, and so do the API keys and webhooks that you created there.\n`,
  validMs: 7 * DAY,
  about: workspaceId,
})
