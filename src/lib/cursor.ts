import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Json } from './canonical-json.ts'

/** A cursor longer than this is not one of ours: what it pins is limited where it is made. */
const MAX_LENGTH = 32_000
/** 128 bits of HMAC-SHA256: no one without the key finds a text that fits. */
const SEAL_BYTES = 16

/**
 * Returns an opaque text that holds how far a walk has come: base64url of a seal and JSON. Only a holder of the key can
 * make one. Equal content gives equal text, so that an answer with a cursor in it is the same each time.
 */
export function sealCursor(key: Uint8Array, content: Json): string {
  const text = Buffer.from(JSON.stringify(content))
  return Buffer.concat([sealOf(key, text), text]).toString('base64url')
}

/** Returns the content of a cursor; undefined when it was not sealed with this key or is damaged. */
export function openCursor(key: Uint8Array, cursor: string): unknown {
  if (cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const seal = bytes.subarray(0, SEAL_BYTES)
  const text = bytes.subarray(SEAL_BYTES)
  if (seal.length < SEAL_BYTES || !timingSafeEqual(seal, sealOf(key, text))) return undefined
  // The last character has bits that mean nothing: only one spelling is ours.
  if (bytes.toString('base64url') !== cursor) return undefined
  return JSON.parse(text.toString())
}

const sealOf = (key: Uint8Array, text: Uint8Array): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, SEAL_BYTES)
