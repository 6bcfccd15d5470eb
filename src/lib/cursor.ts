import type { Json } from './canonical-json.ts'
import { sha256 } from './hash.ts'

/** A cursor longer than this is not one of ours: what it pins is limited where it is made. */
const MAX_LENGTH = 32_000
const CHECK_DIGITS = 8

/**
 * An opaque text that holds how far a walk has come: base64url of check digits and JSON. The check digits tell a damaged
 * cursor from a whole one on any node and for ever; they keep no secret, so the reader of a cursor checks its content.
 */
export function encodeCursor(content: Json): string {
  const text = JSON.stringify(content)
  return Buffer.from(sha256(text).slice(0, CHECK_DIGITS) + text).toString('base64url')
}

/** The content of a cursor; undefined when the text is none of ours or damaged. */
export function decodeCursor(cursor: string): unknown {
  if (cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const text = decoded.slice(CHECK_DIGITS)
  if (sha256(text).slice(0, CHECK_DIGITS) !== decoded.slice(0, CHECK_DIGITS)) return undefined
  if (Buffer.from(decoded).toString('base64url') !== cursor) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
