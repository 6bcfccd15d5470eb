import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/instant.ts'

export type LinkKind = 'first_account' | 'sign_up' | 'verify_email' | 'reset_password' | 'change_email'

/** How long a link works. The one to the first account works until the next start. */
export const LINK_LIFETIME_MS: Record<LinkKind, number | undefined> = {
  first_account: undefined,
  sign_up: DAY,
  verify_email: DAY,
  reset_password: HOUR,
  change_email: DAY,
}

/** One mail of a kind to one address in this time: no one's mailbox is filled through us. */
export const LINK_EVERY_MS = MINUTE
/** And five of a kind to one address; then one in a quarter of an hour. */
export const LINKS_TO_ADDRESS = { rate: SECOND / (15 * MINUTE), burst: 5 }
/** Other addresses to which one account asks for a link: five, then five a day. */
export const ADDRESSES_OF_ACCOUNT = { rate: (5 * SECOND) / DAY, burst: 5 }
/** Addresses for which one network address signs up: 20, then 20 an hour. */
export const SIGN_UPS_OF_CLIENT = { rate: (20 * SECOND) / HOUR, burst: 20 }

/** The page that a link opens. The token is behind the `#`: browsers send it to no server and no other page. */
const PATHS: Record<LinkKind | 'invitation', string> = {
  first_account: '/first-account',
  sign_up: '/sign-up',
  verify_email: '/verify-email',
  reset_password: '/reset-password',
  change_email: '/verify-email',
  invitation: '/invitation',
}

export const LINK_PATHS: string[] = [...new Set(Object.values(PATHS))]

export const linkTo = (origin: string, kind: LinkKind | 'invitation', token: string): string =>
  `${origin}${PATHS[kind]}#token=${token}`
