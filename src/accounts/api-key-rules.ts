import { randomBytes } from 'node:crypto'

/** API keys per workspace (specification, Limits). */
export const MAX_API_KEYS = 20
/** The last use of a key is written at most this often. */
export const LAST_USED_EVERY_MS = 60_000

const PREFIX = 'ptk_'
const RANDOM_BYTES = 32
const SHOWN_CHARACTERS = 4

/** A new key: 256 random bits, so that its plain SHA-256 is safe to store. */
export const newApiKey = (): string => PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')

/** What the key list shows of a key. */
export const lastCharacters = (key: string): string => key.slice(-SHOWN_CHARACTERS)

/** Returns the token of an `Authorization: Bearer …` header: empty for another scheme, undefined without a header. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '') return undefined
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}
