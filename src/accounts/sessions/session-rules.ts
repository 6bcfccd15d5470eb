import { DAY, MINUTE } from '../../lib/instant.ts'
import { cookieValues, setCookie } from '../cookie-rules.ts'

/** A session that no one used for so long has ended. */
export const SESSION_IDLE_MS = 14 * DAY
/** A session ends then, however much it is used. */
export const SESSION_LIFETIME_MS = 90 * DAY
/** Who signed in so recently adds a way to sign in without giving the password again. */
export const RECENT_MS = 10 * MINUTE
/** The last use of a session is written at most this often. */
export const SEEN_EVERY_MS = MINUTE
/** As much of the browser's own description as the list of sessions keeps. */
export const MAX_USER_AGENT_CHARACTERS = 200

const COOKIE = 'pricetape'

/** Returns the `set-cookie` header of a session; without a token, the one that removes it. */
export const sessionCookie = (token: string | undefined, secure: boolean): string =>
  setCookie({
    name: COOKIE,
    value: token ?? '',
    secure,
    sameSite: 'Lax',
    lifetimeMs: token === undefined ? 0 : SESSION_LIFETIME_MS,
  })

/** Returns the session's token of a `cookie` header; undefined without one. */
export const sessionToken = (header: string | undefined, secure: boolean): string | undefined =>
  cookieValues(header, COOKIE, secure)[0] || undefined
