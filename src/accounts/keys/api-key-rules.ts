import { DAY, epochMs, HOUR, type Instant, parseInstant, plus } from '../../lib/instant.ts'

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

/** A time from now on: 90d, 12h. Five digits reach further than anyone plans. */
const FROM_NOW = /^([1-9]\d{0,4})([dh])$/

/** Returns when a key expires, given as days or hours from now (`90d`, `12h`) or as an instant; undefined for else. */
export function readExpiry(text: string, now: Instant): Instant | undefined {
  const [, count, unit] = FROM_NOW.exec(text) ?? []
  return count === undefined ? parseInstant(text) : plus(now, Number(count) * (unit === 'd' ? DAY : HOUR))
}

/** Whether a key's time is over. */
export const hasExpired = ({ expiresAt }: { expiresAt: Instant | null }, now: Instant): boolean =>
  expiresAt !== null && epochMs(expiresAt) <= epochMs(now)

type Reference = { keyId: string; name: string; lastCharacters: string }

/** Returns the keys that a person means by an id, a name or the last characters, as the key list shows them. */
export const keysNamed = <K extends Reference>(keys: K[], reference: string): K[] =>
  keys.filter(({ keyId, name, lastCharacters: end }) => [keyId, name, end, `…${end}`].includes(reference))
