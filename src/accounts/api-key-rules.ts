/** API keys per workspace (specification, Limits). */
export const MAX_API_KEYS = 20
/** The last use of a key is written at most this often. */
export const LAST_USED_EVERY_MS = 60_000

const SHOWN_CHARACTERS = 4

/** Returns the end of a key, which the key list shows. */
export const lastCharacters = (key: string): string => key.slice(-SHOWN_CHARACTERS)

/** Returns the token of an `Authorization: Bearer …` header: empty for another scheme, undefined without a header. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '') return undefined
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? ''
}
