import { cookieValues, setCookie } from '../cookie-rules.ts'
import { CHALLENGE_LIFETIME_MS } from './passkey-rules.ts'

const COOKIE = 'pricetape-passkey'
const TOKEN = /^[\w-]{43}$/

/** Returns the `set-cookie` header that marks the browser which signs in: a challenge works there alone. */
export const browserCookie = (token: string, secure: boolean): string =>
  setCookie({ name: COOKIE, value: token, secure, sameSite: 'Strict', lifetimeMs: CHALLENGE_LIFETIME_MS })

/** Returns the browser's token of a `cookie` header; undefined where there is none of ours. */
export const browserToken = (header: string | undefined, secure: boolean): string | undefined =>
  cookieValues(header, COOKIE, secure).find((value) => TOKEN.test(value))
