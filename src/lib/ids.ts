import { randomUUID } from 'node:crypto'

/** A UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits, so that ids sort by time. */
export function v7(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  // Node keeps random bytes for these in store, so that one costs a tenth of what reading them each time does.
  const random = randomUUID()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id. PostgreSQL refuses any other text in the place of a `uuid` with an error. */
export const isId = (text: string): boolean => UUID.test(text)
