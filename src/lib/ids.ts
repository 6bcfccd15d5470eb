import { randomBytes } from 'node:crypto'

/** A UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits, so that ids sort by time. */
export function v7(now = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id. PostgreSQL refuses any other text in the place of a `uuid` with an error. */
export const isId = (text: string): boolean => UUID.test(text)
