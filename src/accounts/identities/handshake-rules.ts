import { createHmac } from 'node:crypto'
import { MINUTE } from '../../lib/instant.ts'
import { cookieValues, setCookie } from '../cookie-rules.ts'

/** Time to sign in at the provider, with its own second factor. */
export const HANDSHAKE_LIFETIME_MS = 15 * MINUTE

/** A sign-in under way: `state` travels through the provider, the token stays in the browser that began it. */
export type Handshake = { state: string; browserToken: string }

const derived = (use: string, { state, browserToken }: Handshake): string =>
  createHmac('sha256', browserToken).update(`${use} ${state}`).digest('base64url')

/** Returns what the provider puts into its token. Only the browser's token and the state together give it. */
export const nonceOf = (handshake: Handshake): string => derived('nonce', handshake)

/** Returns the secret that redeems the provider's code (PKCE). */
export const verifierOf = (handshake: Handshake): string => derived('verifier', handshake)

/** Returns the state of an answer of the provider: of the query of the address that it sent the browser back to. */
export const stateOf = (answer: string): string | undefined => new URLSearchParams(answer).get('state') ?? undefined

const COOKIE = 'pricetape-identity'
const TOKEN = /^[\w-]{43}$/

/** Returns the `set-cookie` header that marks the browser in which a sign-in was begun. */
export const handshakeCookie = (token: string, secure: boolean): string =>
  setCookie({ name: COOKIE, value: token, secure, sameSite: 'Lax', lifetimeMs: HANDSHAKE_LIFETIME_MS })

/** Returns the browser's token of a `cookie` header; undefined where there is none of ours. */
export const handshakeToken = (header: string | undefined, secure: boolean): string | undefined =>
  cookieValues(header, COOKIE, secure).find((value) => TOKEN.test(value))
