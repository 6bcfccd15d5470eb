import { DAY } from '../../lib/instant.ts'
import { cookieValues, setCookie } from '../cookie-rules.ts'

/** A browser is forgotten after this time without a sign-in: no browser keeps a cookie longer. */
export const BROWSER_KEPT_MS = 400 * DAY
/** Browsers that an account knows at most: the ones used last. */
export const MAX_KNOWN_BROWSERS = 100

const COOKIE = 'pricetape-browser'
const TOKEN = /^[\w-]{43}$/

/** Returns the `set-cookie` header that marks a browser as known. It signs no one in. */
export const knownBrowserCookie = (token: string, secure: boolean): string =>
  setCookie({ name: COOKIE, value: token, secure, sameSite: 'Lax', lifetimeMs: BROWSER_KEPT_MS })

/** Returns the browser's token of a `cookie` header; undefined where there is none of ours. */
export const knownBrowserToken = (header: string | undefined, secure: boolean): string | undefined =>
  cookieValues(header, COOKIE, secure).find((value) => TOKEN.test(value))
