import { randomBytes } from 'node:crypto'
import { z } from 'zod'

/** API keys per workspace (specification, Limits). */
export const MAX_API_KEYS = 20
/** Characters in the name of a webhook, API key or workspace (specification, Limits). */
const MAX_NAME_CHARACTERS = 80
/** The last use of a key is written at most this often. */
export const LAST_USED_EVERY_MS = 60_000

const PREFIX = 'ptk_'
const RANDOM_BYTES = 32
const SHOWN_CHARACTERS = 4

/** A name as people type it: trimmed, 1 to 80 characters (counted as PostgreSQL does), none of them a control. */
export const displayName = z
  .string()
  .trim()
  .refine((text) => [...text].length >= 1, 'must not be empty')
  .refine((text) => [...text].length <= MAX_NAME_CHARACTERS, `must be at most ${MAX_NAME_CHARACTERS} characters`)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')

/** A new key: 256 random bits, so that its plain SHA-256 is safe to keep. */
export const newApiKey = (): string => PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')

/** What the key list shows of a key. */
export const lastCharacters = (key: string): string => key.slice(-SHOWN_CHARACTERS)

/** The token of an `Authorization: Bearer …` header; empty when it is of another kind; undefined when there is none. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '') return undefined
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}
