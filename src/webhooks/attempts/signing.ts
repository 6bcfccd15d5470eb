import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SignedAt } from './outcome-schema.ts'

const USER_AGENT = 'pricetape-webhooks/1.0'
/** 24 bytes are the least Standard Webhooks allows, and their base64 needs no padding, which some receivers mishandle. */
const SECRET_BYTES = 24

/** A new signing secret: `whsec_` and 24 random bytes in standard base64. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/**
 * Every header of one attempt (specification, Delivery). Call it immediately before sending: receivers refuse a
 * timestamp more than five minutes from their clock.
 * @param secrets the keys that sign now, newest first: one, or two in the 24 hours after a rotation
 * @param at when this attempt is signed; the header has whole seconds
 * @param body the exact text that will be sent
 */
export function signedHeaders(attempt: {
  id: string
  secrets: string[]
  at: Date | number
  body: string
}): Record<string, string> {
  const { id, secrets, body } = attempt
  const at = new Date(attempt.at)
  // The signed text is id.timestamp.body, so a dot in the id would let two different events share one signature.
  if (!/^[A-Za-z0-9_-]+$/.test(id)) throw new Error(`not an event id: ${id}`)
  if (secrets.length === 0) throw new Error(`no secret signs ${id}`)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' ')
  return sentHeaders({ id, timestamp, signature })
}

/** Every header of an attempt that was signed. */
export function sentHeaders({ id, timestamp, signature }: SignedAt & { id: string }): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    // Svix's receiver libraries read these first; both families come from one computation so that they cannot differ.
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': signature,
  }
}
