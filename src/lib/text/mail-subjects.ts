/** The subject of every mail that the product sends: no text of anyone else is in one. docs/use/accounts.md lists who causes which. */
export const MAIL_SUBJECTS = {
  sign_up: 'Create your Pricetape account',
  account_exists: 'You have a Pricetape account',
  verify_email: 'Confirm your e-mail address for Pricetape',
  change_email: 'Confirm your new e-mail address for Pricetape',
  reset_password: 'Choose a new Pricetape password',
  invitation: 'You are invited to a workspace on Pricetape',
  member_removed: 'You were removed from a workspace on Pricetape',
  email_changed: 'Your Pricetape account has another address',
  email_asked: 'Your Pricetape account is to have another address',
  password_changed: 'Your Pricetape password was changed',
  password_reset: 'Your Pricetape password was reset',
  passkey_added: 'A passkey was added to your Pricetape account',
  passkey_removed: 'A passkey was removed from your Pricetape account',
  passkeys_reset: 'An operator removed the passkeys of your Pricetape account',
  identity_linked: 'An identity provider was linked to your Pricetape account',
  identity_unlinked: 'An identity provider was unlinked from your Pricetape account',
  identities_reset: 'An operator unlinked your Pricetape account from the identity provider',
  codes_on: 'Your Pricetape account asks for codes now',
  codes_off: 'Your Pricetape account does not ask for codes any more',
  codes_reset: 'An operator turned off the codes of your Pricetape account',
  webhook_paused: 'Pricetape paused a webhook',
  watch: 'Pricetape: what you watch changed',
  watch_daily: 'Pricetape: what changed today',
  watch_weekly: 'Pricetape: what changed this week',
  review: 'Pricetape has items to review',
  sources: 'Pricetape could not read sources for a day',
} as const

export type MailKind = keyof typeof MAIL_SUBJECTS
export type MailSubject = (typeof MAIL_SUBJECTS)[MailKind]
