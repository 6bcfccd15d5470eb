import { DAY, MINUTE } from '../../lib/instant.ts'

/** A session that nobody used for so long has ended. */
export const SESSION_IDLE_MS = 14 * DAY
/** A session ends then, however much it is used. */
export const SESSION_LIFETIME_MS = 90 * DAY
/** The last use of a session is written at most this often. */
export const SEEN_EVERY_MS = MINUTE
/** As much of the browser's own description as the list of sessions keeps. */
export const MAX_USER_AGENT_CHARACTERS = 200

const SECURE_NAME = '__Host-pricetape'
const PLAIN_NAME = 'pricetape'

/** The name of the session's cookie. Browsers keep the prefix `__Host-` for cookies that came over HTTPS from this host. */
export const cookieName = (secure: boolean): string => (secure ? SECURE_NAME : PLAIN_NAME)

/** Returns the `set-cookie` header of a session; without a token, the one that removes it. */
export function sessionCookie(token: string | undefined, secure: boolean): string {
  const age = token === undefined ? 0 : SESSION_LIFETIME_MS / 1_000
  const parts = [`${cookieName(secure)}=${token ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${age}`]
  return (secure ? [...parts, 'Secure'] : parts).join('; ')
}

/** Returns the session's token of a `cookie` header; undefined without one. */
export function sessionToken(header: string | undefined, secure: boolean): string | undefined {
  const prefix = `${cookieName(secure)}=`
  const found = header?.split(';').find((pair) => pair.trimStart().startsWith(prefix))
  return found?.trim().slice(prefix.length) || undefined
}
