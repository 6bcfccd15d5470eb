import { DAY, HOUR } from '../../../lib/instant.ts'
import { nameInMail } from '../../../lib/text/mail-names.ts'
import type { TextMail } from '../../../mail/schema.ts'
import { INVITATION_LIFETIME_MS } from '../../invitations/invitation-rules.ts'
import { LINK_LIFETIME_MS, type LinkKind } from '../links/link-rules.ts'

export type MailText = Omit<TextMail, 'to'>

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
  return { kind, text: `${text}\n\n${link}\n\n${IGNORE}\n`, validMs }
}

/** The mail to someone who signs up with an address that has an account. */
export const accountExistsMail = (origin: string): MailText => ({
  kind: 'account_exists',
  text: `Someone, probably you, wanted to create an account with this address. It has one already: sign in at ${origin}, or choose a new password there.\n\n${IGNORE}\n`,
  validMs: HOUR,
})

export const invitationMail = (given: {
  workspaceId: string
  workspace: string
  invitedBy: string
  link: string
}): MailText => ({
  kind: 'invitation',
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
  kind: 'member_removed',
  text: `An admin removed you from the workspace "${nameInMail(workspace)}". You can no longer open it. Your account stays, and so do the API keys and webhooks that you created there.\n`,
  validMs: 7 * DAY,
  about: workspaceId,
})
