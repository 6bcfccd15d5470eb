import { CHALLENGE_LIFETIME_MS } from './passkey-rules.ts'

const SECURE_NAME = '__Host-pricetape-passkey'
const PLAIN_NAME = 'pricetape-passkey'

const nameOf = (secure: boolean): string => (secure ? SECURE_NAME : PLAIN_NAME)

/** Returns the `set-cookie` header that marks the browser which signs in: a challenge works there alone. */
export function browserCookie(token: string, secure: boolean): string {
  const age = CHALLENGE_LIFETIME_MS / 1_000
  const parts = [`${nameOf(secure)}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${age}`]
  return (secure ? [...parts, 'Secure'] : parts).join('; ')
}

/** Returns the browser's token of a `cookie` header; undefined where there is none of ours. */
export function browserToken(header: string | undefined, secure: boolean): string | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${nameOf(secure)}=([\\w-]{43})\\s*(?:;|$)`)
  return pattern.exec(header ?? '')?.[1]
}
