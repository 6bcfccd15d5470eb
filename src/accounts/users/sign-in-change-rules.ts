import { DAY, type Instant } from '../../lib/instant.ts'
import { nameInMail } from '../../lib/text/mail-names.ts'
import type { MailText } from './mail/mail-rules.ts'

/** A mail server that is away for days still gets it: the news is worth having late. */
const NOTICE_VALID_MS = 7 * DAY

/** What its owner is mailed after a change of how an account signs in. */
const TEXTS = {
  email_changed: 'The address of your account is now {}.',
  email_asked:
    'Someone who knows the password of your account asked for it to have the address {}. A link was mailed there.',
  password_changed: 'The password of your account was changed. All other sessions have ended.',
  password_reset: 'The password of your account was changed with a link. All sessions have ended.',
  passkey_added: 'The passkey "{}" can now sign in to your account.',
  passkey_removed: 'The passkey "{}" can no longer sign in to your account.',
  passkeys_reset: 'An operator of the service removed all passkeys of your account.',
  identity_linked: 'You can now sign in to your account with {}.',
  identity_unlinked: 'You can no longer sign in to your account with {}.',
  identities_reset: 'An operator of the service unlinked your account from the identity provider.',
  codes_on: 'Your account now asks for a code from an authenticator app after the password.',
  codes_off: 'Your account no longer asks for codes from an authenticator app.',
  codes_reset:
    'An operator of the service turned off the codes of your authenticator app. Your account now asks for the password alone.',
} as const

/** `about`: the name of a passkey or provider, or the new address. */
export type SignInChange = { kind: keyof typeof TEXTS; about?: string }

const NAMED = new Set<string>(['passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked'])

/** The mail to an account's owner after a change of how they sign in. Of an address, it goes to the one before;
 * a new password voids a link to another one. */
export function signInChangeMail({ kind, about = '' }: SignInChange, at: Instant, origin: string): MailText {
  const named = NAMED.has(kind) ? nameInMail(about) : about
  const sentence = TEXTS[kind].replace('{}', () => named)
  const when = `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`
  const advice =
    kind === 'email_changed'
      ? 'If that was not you, ask an operator of the service for help at once: this address no longer opens the account.'
      : `If that was not you, choose a new password at ${origin}/forgot-password at once, and ask an operator of the service for help.`
  return {
    kind,
    about,
    text: `${sentence}\n\nThis was on ${when}. ${advice}\n`,
    validMs: NOTICE_VALID_MS,
  }
}
